using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// When processes whose folders were closed each period measured nothing: each time that one went away and came back.
/// </summary>
internal sealed class MergedGaps
{
    // Wall clocks are adjusted; a process that is started again takes longer.
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, List<Period>> _periods = [];

    /// <summary>Of each gap its start and its end.</summary>
    public IEnumerable<RunEvent> Events => _periods.Values.SelectMany(EventsOf);

    /// <param name="record">Of one period.</param>
    /// <param name="process">Whose.</param>
    public void Add(RunRecord record, string process)
    {
        if (record.Summaries[0] is not { StartUtc: { } start, DurationNs: { } durationNs })
            return;
        if (!_periods.TryGetValue(process, out var known))
            _periods.Add(process, known = []);
        var length = TimeSpan.FromNanoseconds(durationNs);
        known.Add(new(record.Instance, start, length, record.Phases is [{ StartNs: { } startNs }, ..] ? startNs : 0));
    }

    private static IEnumerable<RunEvent> EventsOf(List<Period> periods)
    {
        var ordered = periods.OrderBy(period => period.Start).ToList();
        foreach (var (before, after) in ordered.Zip(ordered.Skip(1)))
        {
            var gap = after.Start - before.End;
            if (gap <= Shortest)
                continue;
            var length = Quantity.Duration(gap.TotalNanoseconds);
            var endNs = before.StartNs + (long)before.Length.TotalNanoseconds;
            yield return new(before.End, endNs, "gone", $"{before.Instance}: nothing was measured for {length}");
            yield return new(after.Start, after.StartNs, "back", $"{after.Instance}: measured again, after {length}");
        }
    }

    private sealed record Period(string Instance, DateTimeOffset Start, TimeSpan Length, long StartNs)
    {
        public DateTimeOffset End => Start + Length;
    }
}
