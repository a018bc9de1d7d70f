using RedisLatency.Replication.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Nodes;

/// <summary>WAIT's upper bound at each place that is written to.</summary>
internal sealed class WaitProbes : IDisposable
{
    private readonly List<WaitProbe> _probes = [];

    /// <summary>Begins; with an interval of zero there are none.</summary>
    /// <param name="places">Where to write, and what keys there begin with.</param>
    /// <param name="session">Whose keys they are.</param>
    /// <param name="expiry">How long they live.</param>
    /// <param name="interval">From one to the next.</param>
    /// <param name="replicas">How many are waited for after the first; 1 for no more.</param>
    public WaitProbes(
        IEnumerable<(string Prefix, IServerPlace Place)> places, ulong session, TimeSpan expiry, TimeSpan interval,
        int replicas = 1)
    {
        if (interval > TimeSpan.Zero)
        {
            _probes.AddRange(places.Select(one => new WaitProbe(
                one.Place, FormattableString.Invariant($"{one.Prefix}:{session:x16}:wait"), expiry, interval, replicas)));
        }

        if (_probes.Count == 0)
            return;
        var first = new CollectedSeries(DelaySeriesNames.Wait, [.. _probes.Select(wait => wait.Took)]);
        Series = replicas == 1
            ? [first]
            : [first, new CollectedSeries(DelaySeriesNames.WaitForAll, [.. _probes.Select(wait => wait.AllTook)])];
    }

    /// <summary>What WAIT took; nothing where it is not asked.</summary>
    public IReadOnlyList<CollectedSeries> Series { get; } = [];

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            if (_probes.Select(wait => wait.Refusal).FirstOrDefault(text => text is not null) is { } refusal)
                yield return $"WAIT was refused, so there is no bound by it: {refusal}";
            if (_probes.Sum(wait => wait.Unacknowledged) is var unacknowledged and > 0)
                yield return $"No replica acknowledged a key within a second (WAIT): {Times(unacknowledged)}.";
            if (_probes.Sum(wait => wait.NotAll) is var notAll and > 0)
            {
                yield return "A replica acknowledged a key, and not as many as there are destinations (WAIT): "
                    + $"{Times(notAll)}.";
            }
        }
    }

    /// <summary>Counts what was not acknowledged as slower than what was. Once, when all is recorded.</summary>
    public void CountMissing()
    {
        var unacknowledged = _probes.Sum(wait => wait.Unacknowledged);
        if (Series.Count > 0)
            Series[0].Total.AddMissing(unacknowledged);
        if (Series.Count > 1)
            Series[1].Total.AddMissing(unacknowledged + _probes.Sum(wait => wait.NotAll));
    }

    /// <inheritdoc/>
    public void Dispose() => _probes.ForEach(wait => wait.Dispose());

    private static string Times(long count) => count == 1 ? "once" : $"{Quantity.Count(count)} times";
}
