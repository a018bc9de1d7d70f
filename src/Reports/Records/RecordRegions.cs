using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>The ways between regions that runs measured.</summary>
public static class RecordRegions
{
    /// <summary>The most ways of one matrix: with so many a record is some megabytes long.</summary>
    internal const int MostWays = 1_000;

    /// <summary>The series of a way whose messages have no time at which they are due.</summary>
    internal const string FromSent = "forward";

    private const string FromIntended = "forward-intended";

    /// <summary>What lies between the regions of these ways; null where there are fewer than two.</summary>
    public static RegionMatrix? Of(IEnumerable<RegionWay> ways)
    {
        List<RegionWay> ordered =
        [
            .. ways.Take(MostWays).OrderBy(way => way.From, StringComparer.Ordinal)
                .ThenBy(way => way.To, StringComparer.Ordinal).ThenBy(way => way.Producer, StringComparer.Ordinal),
        ];
        return ordered.Count < 2 ? null : new RegionMatrix { Ways = ordered };
    }

    /// <summary>The ways that a run measured, or of which it was merged; none where its region is not known.</summary>
    public static IEnumerable<RegionWay> WaysOf(RunRecord run) => run.Regions?.Ways ?? (
        from region in new[] { run.Region }.OfType<string>()
        from summary in run.Summaries
        from pair in summary.OneWay
        where pair.Grade is not null
        select WayOf(run, region, pair));

    private static RegionWay WayOf(RunRecord run, string region, OneWayPair pair) => new()
    {
        From = region,
        To = pair.Region ?? pair.Consumer,
        Producer = $"{run.Instance} in {region}",
        Consumer = pair.Consumer,
        IsInDoubt = run.Partial || run.Verdict.Status != VerdictStatus.Valid,
        Grade = pair.Grade!.Value,
        // Of grade F clocks contradict each other.
        Forward = pair.Grade == OneWayGrade.F ? null
            : pair.Series.FirstOrDefault(one => one.Name == FromIntended)
            ?? pair.Series.FirstOrDefault(one => one.Name == FromSent),
        Check = pair.Check,
        Asymmetry = pair.Asymmetry,
        Offset = pair.Offset,
    };
}
