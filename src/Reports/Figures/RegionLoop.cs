namespace RedisLatency.Reports.Figures;

/// <summary>
/// Three regions, one after the other and back to the first, where who answers and who sends in each is one process.
/// The true offsets of their clocks add up to nothing, so what was found shows whether it can be. Times in nanoseconds.
/// </summary>
public sealed record RegionLoop
{
    private const double PartsPerMillion = 1e-6;

    // As fast as an operating system slews a clock, where nothing is known of its drift.
    private const double MostDriftPpm = 500;

    /// <summary>The regions in the order of the messages.</summary>
    public required IReadOnlyList<string> Regions { get; init; }

    /// <summary>The sum of the offsets θ that were found, all as of one instant: 0 if all of them are true.</summary>
    public required long OffsetNs { get; init; }

    /// <summary>The sum of their bounds E, and of what clocks may have drifted between the ends of the runs.</summary>
    public required long ErrorNs { get; init; }

    /// <summary>Whether the sum is within that: if not, something that E takes for granted is false.</summary>
    public bool Closes => Math.Abs((double)OffsetNs) <= ErrorNs;

    /// <summary>
    /// The sum of the mean one-way latencies of what came back. It is wrong by the sum of the offsets, and not by the
    /// sum of the bounds: round a loop each clock is added as often as it is taken off.
    /// </summary>
    public required double MeanNs { get; init; }

    /// <summary>The loop of three ways; null where the offset or the mean of one is not known.</summary>
    public static RegionLoop? Of(params IReadOnlyList<RegionWay> ways)
    {
        if (ways.Any(way => way.Offset is null || way.Check is null))
            return null;
        var (sum, error) = (0.0, 0.0);
        // By the clock of the way's sender; the first one's run ended then.
        var atNs = (double)ways[0].Offset!.AtNs;
        foreach (var offset in ways.Select(way => way.Offset!))
        {
            var afterNs = atNs - offset.AtNs;
            var skew = offset.SkewPpm ?? 0;
            var drift = offset is { SkewPpm: not null, SkewLowPpm: { } low, SkewHighPpm: { } high }
                ? Math.Max(high - skew, skew - low)
                : MostDriftPpm;
            var atInstant = offset.OffsetNs + (afterNs * skew * PartsPerMillion);
            error += offset.ErrorWorstNs + Math.Abs(afterNs * drift * PartsPerMillion);
            sum += atInstant;
            atNs += atInstant;
        }

        return new RegionLoop
        {
            Regions = [.. ways.Select(way => way.From)],
            OffsetNs = (long)sum,
            ErrorNs = (long)Math.Ceiling(error),
            MeanNs = ways.Sum(way => way.Check!.ForwardMeanNs),
        };
    }
}
