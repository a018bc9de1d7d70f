using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Merging;

/// <summary>What all parts of a merged run must be of: the first part says.</summary>
internal sealed class PartShape(RunRecord first)
{
    private readonly List<string> _series = [.. SeriesOf(first)];

    public string Run { get; } = first.Run;

    public string Role { get; } = first.Role;

    /// <summary>What of a record's summaries is measured; a Consumer's others only count what came from whom.</summary>
    public static IEnumerable<RunSummary> MeasuredIn(RunRecord record) =>
        record.Role == ServedRecord.Role ? record.Summaries.Take(1) : record.Summaries;

    /// <summary>Why nothing can be merged with a record; null where something can.</summary>
    public static string? ProblemOf(RunRecord record) =>
        record.Summaries.Count == 0 ? "nothing was measured"
        : record.Summaries.Any(summary => summary.Delay is not null)
            ? "delays of several runs are put together by report matrix"
        : record.Comparison is not null ? "two servers were compared in turns, which is no part of another run"
        : null;

    /// <summary>Why a record is of something else; null where it is not.</summary>
    public string? Difference(RunRecord record)
    {
        if (record.Run != Run)
            return $"it is of the run {record.Run}, not {Run}; --run names the one that is meant";
        if (record.Role != Role)
            return $"it is of a {record.Role}, not a {Role}; --role names the one that is meant";
        var other = SeriesOf(record).ToList();
        if (_series.SequenceEqual(other))
            return null;
        return _series.Except(other).FirstOrDefault() is { } lacks ? $"it has no {lacks}, as the first part has"
            : other.Except(_series).FirstOrDefault() is { } more ? $"it has {more}, which the first part has not"
            : "its targets or phases come in another order than those of the first part";
    }

    private static IEnumerable<string> SeriesOf(RunRecord record)
    {
        if (record.Imported is { } imported)
            yield return $"measurement of {imported.Tool}";
        var measured = MeasuredIn(record).ToList();
        foreach (var summary in measured)
        {
            // One target may be called otherwise from another host.
            var of = measured.Count > 1 || summary.Workload is not null ? $" of {summary.Name}" : string.Empty;
            foreach (var series in summary.Latencies)
                yield return $"series {series.Name}{of} in {series.Unit}";
            foreach (var operation in summary.Workload?.Operations ?? [])
                yield return $"operation {operation.Name}{of}, {operation.Command}";
        }

        foreach (var series in record.Forward?.Series ?? [])
            yield return $"series {series.Name}";
    }
}
