using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>How long keys took from one Redis to another, and what became of all of them.</summary>
internal sealed class DelaySection(RunSummary summary, ReplicationDelay delay)
{
    // In this order.
    private static readonly string[] Columns =
        ["delay-lower", "delay", "delay-upper", "delay-intended", "delay-intended-upper", "wait", "lateness"];

    /// <summary>Whether only what answers is written: delays, and the percentiles of them that are known.</summary>
    public bool IsAnswer { get; init; }

    public void WriteTo(TextWriter writer)
    {
        WriteKeys(writer);
        WriteDelays(writer);
    }

    private void WriteKeys(TextWriter writer)
    {
        if (delay.Heartbeat is { } heartbeat)
            WriteHeartbeats(writer, heartbeat);
        else
            WriteFates(writer);
        if (summary.Rates is { Asked: { } asked, Achieved: { } achieved })
            writer.Line($"rate: asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)}");
        writer.Line($"read by {delay.Reading}{Polls()}; {delay.Clocks}");
        WriteLag(writer);
        WriteDirect(writer);
    }

    // What the destination had to do for it.
    private string Polls()
    {
        if (delay.Polls == 0)
            return string.Empty;
        var seconds = Math.Max(1, summary.DurationNs ?? 0) / 1e9;
        var share = delay.ReadingShare is { } known
            ? $", {Quantity.Percent(known)} of the destination's time"
            : string.Empty;
        return $", {Quantity.Count(delay.Polls)} polls: {Quantity.Rate(delay.Polls / seconds)}, "
            + $"{Quantity.Count((long)(delay.PollBytes / seconds / 1000))} kB/s{share}";
    }

    private void WriteHeartbeats(TextWriter writer, HeartbeatFacts heartbeat)
    {
        writer.Heading("HEARTBEATS");
        WriteCounts(writer, "seen", Counted.Skipped, Counted.Refused, Counted.Unsent, Counted.Unread);
        var longestAge = Quantity.Duration(heartbeat.LongestAgeNs);
        writer.Line($"{HeartbeatTimes.Of(summary, heartbeat)}; longest age {longestAge}");
    }

    // The answer leaves out what is zero, but for what was read.
    private void WriteCounts(TextWriter writer, string read, params IEnumerable<Metric> others)
    {
        var shown = others.Where(metric => !IsAnswer || summary.Count(metric) > 0)
            .Select(metric => $"{metric.Name} {Quantity.Count(summary.Count(metric))}")
            .Prepend($"{read} {Quantity.Count(summary.Count(Counted.Read))}");
        writer.Line($"asked {Quantity.Count(summary.Count(Counted.Asked))} = {string.Join(", ", shown)}");
    }

    private void WriteFates(TextWriter writer)
    {
        writer.Heading("KEYS");
        WriteCounts(
            writer, Counted.Read.Name, Counted.Missing, Counted.Overwritten, Counted.Refused, Counted.Unsent,
            Counted.Unread);
        if (delay.Destinations > 1)
        {
            writer.Line($"{Quantity.Count(summary.Count(Counted.Asked) / delay.Destinations)} keys at each of "
                + $"{Quantity.Count(delay.Destinations)} destinations");
        }
    }

    private void WriteLag(TextWriter writer)
    {
        if (delay.Lag is { } lag)
        {
            writer.Line($"lag by replication offsets: mean {Quantity.Count((long)Math.Round(lag.Mean))} bytes, most "
                + $"{Quantity.Count(lag.Most)}, {Quantity.Count(lag.Samples)} samples");
        }
    }

    private void WriteDirect(TextWriter writer)
    {
        if (delay.Direct is { } direct)
        {
            writer.Line($"the network alone, from host to host, {Quantity.Count(direct.Samples)} probes: mean "
                + $"{Quantity.Duration(direct.MeanNs)}, min {Quantity.Duration(direct.MinNs)}; the replication's "
                + "own share: "
                + $"mean {Quantity.Duration(direct.MeanShareNs)}, min {Quantity.Duration(direct.MinShareNs)}");
        }
    }

    private void WriteDelays(TextWriter writer)
    {
        var series = Columns.Where(name => !IsAnswer || name is "delay" or "delay-intended")
            .SelectMany(name => summary.Latencies.Where(known => known.Name == name).Take(1))
            .Where(known => known.Count > 0 || known.Missing > 0).ToList();
        if (series.Count == 0)
            return;
        var unit = Quantity.UnitFor([.. series.Where(known => known.Name is "delay" or "delay-upper")
            .Select(known => known.Min ?? 0)]);
        var error = delay.ErrorNs > 0 ? $", each ±{Quantity.Duration(delay.ErrorNs)}" : string.Empty;
        writer.Heading($"DELAY, {Quantity.Symbol(unit)}{error}");
        var table = new TextTable([string.Empty, .. series.Select(known => known.Name)]);
        List<DelayCells> columns = [.. series.Select(known => new DelayCells(
            summary, known.Name, value => Quantity.Duration(value, unit)))];
        List<string> written = [];
        AddRow("n", column => column.Count);
        AddRow("min", column => column.Of(known => known.Min));
        AddRow("mean", column => column.Of(known => known.Mean));
        foreach (var percentile in PercentileTable.Percentiles.Where(one => !IsAnswer || IsKnown(one)))
            AddRow(LatencyTable.NameOf(percentile), column => column.Percentile(percentile));
        AddRow("max", column => column.Of(known => known.Max));
        table.WriteTo(writer);
        writer.Line("delay: from the actual send; delay-intended: from the scheduled send");
        if (series.Exists(known => known.Name == "delay-lower"))
            writer.Line("lower and upper: the bounds of a delay; the key came between two polls");
        if (series.Exists(known => known.Name == "wait"))
        {
            writer.Line("wait: until the first replica's acknowledgement was back, by one clock: more than the delay");
        }

        DelayCells.WriteLegend(writer, written);
        foreach (var known in series)
            LatencyTable.WriteOutOfRange(writer, known, $"{known.Name}, ");

        bool IsKnown(double percentile) =>
            columns.Exists(column => column.Percentile(percentile) is not (LatencyTable.TooFew or Quantity.None));

        void AddRow(string name, Func<DelayCells, string> cell)
        {
            string[] cells = [.. columns.Select(cell)];
            written.AddRange(cells);
            table.Add([name, .. cells]);
        }
    }
}
