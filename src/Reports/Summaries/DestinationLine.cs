using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>Which destination it is, how it was read, and what became of the keys that were not.</summary>
internal sealed class DestinationLine(ReplicationDelay delay)
{
    public string Text
    {
        get
        {
            var name = delay.DestinationRegion is { } region ? $"{region}, {delay.Destination}" : delay.Destination;
            return string.Join(", ", new[] { $"{name}: read by {delay.Reading}" }.Concat(Counts()).Concat(Lag()));
        }
    }

    private IEnumerable<string> Counts()
    {
        if (delay.Polls > 0)
            yield return $"{Quantity.Count(delay.Polls)} looks";
        var without = new[]
        {
            ("missing", delay.Missing), ("overwritten", delay.Overwritten), ("refused", delay.Refused),
            ("unsent", delay.Unsent), ("unread", delay.Unread),
        };
        foreach (var (what, count) in without)
        {
            if (count > 0)
                yield return $"{what} {Quantity.Count(count)}";
        }
    }

    private IEnumerable<string> Lag()
    {
        if (delay.Lag is { } lag)
            yield return $"lag {Quantity.Count((long)Math.Round(lag.Mean))} bytes, most {Quantity.Count(lag.Most)}";
    }
}
