using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// How long keys took from one Redis to another, and what became of all of them. The answer has the delays alone, the
/// percentiles of them that are known, and no count of zero but that of what was read.
/// </summary>
internal sealed class DelaySection(RunSummary summary)
{
    private readonly ReplicationDelay _delay = summary.Delay
        ?? throw new ArgumentException("It is of no delay.", nameof(summary));

    // In this order.
    private static readonly string[] Columns =
    [
        Measured.DelayLower, Measured.Delay, Measured.DelayUpper, Measured.DelayFromIntended,
        Measured.DelayFromIntendedUpper, "wait", Measured.Lateness,
    ];

    public IEnumerable<Section> Create()
    {
        var keys = _delay.Heartbeat is { } heartbeat ? Heartbeats(heartbeat) : Fates();
        if (summary.Rates is { Asked: { } asked, Achieved: { } achieved })
            keys.Add($"rate: asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)}");
        yield return keys.Add($"read by {_delay.Reading}{Polls()}; {_delay.Clocks}").Add(Lag()).Add(Direct());
        if (Delays() is { } delays)
            yield return delays;
    }

    // What the destination had to do for it.
    private string Polls()
    {
        if (_delay.Polls == 0)
            return string.Empty;
        var seconds = Math.Max(1, summary.DurationNs ?? 0) / 1e9;
        var share = _delay.ReadingShare is { } known
            ? $", {Quantity.Percent(known)} of the destination's time"
            : string.Empty;
        return $", {Quantity.Count(_delay.Polls)} polls: {Quantity.Rate(_delay.Polls / seconds)}, "
            + $"{Quantity.Count((long)(_delay.PollBytes / seconds / 1000))} kB/s{share}";
    }

    private Section Heartbeats(HeartbeatFacts heartbeat)
    {
        var section = new Section("HEARTBEATS");
        AddCounts(section, "seen", Counted.Skipped, Counted.Refused, Counted.Unsent, Counted.Unread);
        var longestAge = Quantity.Duration(heartbeat.LongestAgeNs);
        return section.Add($"{HeartbeatTimes.Of(summary, heartbeat)}; longest age {longestAge}");
    }

    private void AddCounts(Section section, string read, params IReadOnlyList<Metric> others)
    {
        section.Add(Counts(others.Where(metric => summary.Count(metric) > 0)), Extent.Answer);
        section.Add(Counts(others), Extent.Details);

        string Counts(IEnumerable<Metric> shown) => $"asked {Quantity.Count(summary.Count(Counted.Asked))} = "
            + string.Join(", ", shown.Select(metric => $"{metric.Name} {Quantity.Count(summary.Count(metric))}")
                .Prepend($"{read} {Quantity.Count(summary.Count(Counted.Read))}"));
    }

    private Section Fates()
    {
        var section = new Section("KEYS");
        AddCounts(
            section, Counted.Read.Name, Counted.Missing, Counted.Overwritten, Counted.Refused, Counted.Unsent,
            Counted.Unread);
        return _delay.Destinations > 1
            ? section.Add($"{Quantity.Count(summary.Count(Counted.Asked) / _delay.Destinations)} keys at each of "
                + $"{Quantity.Count(_delay.Destinations)} destinations")
            : section;
    }

    private string? Lag() => LagText.Of(summary, "lag by replication offsets: mean") is { } lag
        ? $"{lag}, {Quantity.Count(summary.Count(ReplicationLag.Samples))} samples"
        : null;

    private string? Direct() => _delay.Direct is { } direct
        ? $"the network alone, from host to host, {Quantity.Count(direct.Samples)} probes: mean "
            + $"{Quantity.Duration(direct.MeanNs)}, min {Quantity.Duration(direct.MinNs)}; the replication's "
            + "own share: "
            + $"mean {Quantity.Duration(direct.MeanShareNs)}, min {Quantity.Duration(direct.MinShareNs)}"
        : null;

    private static Extent ExtentOf(string series) =>
        series is Measured.Delay or Measured.DelayFromIntended ? Extent.Both : Extent.Details;

    private Section? Delays()
    {
        var series = Columns
            .SelectMany(name => summary.Latencies.Where(known => known.Name == name).Take(1))
            .Where(known => known.Count > 0 || known.Missing > 0).ToList();
        if (series.Count == 0)
            return null;
        var unit = Quantity.UnitFor([.. series.Where(known => known.Name is Measured.Delay or Measured.DelayUpper)
            .Select(known => known.Min ?? 0)]);
        var error = _delay.ErrorNs > 0 ? $", each ±{Quantity.Duration(_delay.ErrorNs)}" : string.Empty;
        List<Extent> extents = [.. series.Select(known => ExtentOf(known.Name))];
        var section = new Section($"DELAY, {Quantity.Symbol(unit)}{error}", extents.Max());
        var table = new Table([string.Empty, .. series.Select(known => known.Name)])
        {
            Columns = [Extent.Both, .. extents],
        };
        List<DelayCells> columns = [.. series.Select(known => new DelayCells(
            summary, known.Name, value => Quantity.Duration(value, unit)))];
        AddRow("n", column => column.Count, isAlways: true);
        AddRow("min", column => column.Of(known => known.Min), isAlways: true);
        AddRow("mean", column => column.Of(known => known.Mean), isAlways: true);
        foreach (var percentile in PercentileTable.Percentiles)
            AddRow(LatencyTable.NameOf(percentile), column => column.Percentile(percentile));
        AddRow("max", column => column.Of(known => known.Max), isAlways: true);
        section.Add(table).Add("delay: from the actual send; delay-intended: from the scheduled send");
        if (series.Exists(known => known.Name == Measured.DelayLower))
        {
            section.Add("lower and upper: the bounds of a delay; the key came between two polls", Extent.Details);
        }

        if (series.Exists(known => known.Name == "wait"))
        {
            section.Add(
                "wait: until the first replica's acknowledgement was back, by one clock: more than the delay",
                Extent.Details);
        }

        DelayCells.Explain(section, table);
        foreach (var (known, extent) in series.Zip(extents))
            section.Add(LatencyTable.OutOfRange(known, $"{known.Name}, "), extent);
        return section;

        void AddRow(string name, Func<DelayCells, string> cell, bool isAlways = false)
        {
            List<string> cells = [.. columns.Select(cell)];
            var isKnown = cells.Zip(extents).Any(
                column => column.Second == Extent.Both && column.First is not (LatencyTable.TooFew or Quantity.None));
            table.Add(isAlways || isKnown ? Extent.Both : Extent.Details, [name, .. cells]);
        }
    }
}
