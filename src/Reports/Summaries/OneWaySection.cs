using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>One-way latency: for each pair what the clocks are worth, then both directions with their bound.</summary>
internal sealed class OneWaySection(RunRecord record)
{
    public void WriteTo(TextWriter writer)
    {
        foreach (var summary in record.Summaries)
        {
            foreach (var pair in summary.OneWay)
                Write(writer, summary, pair);
            if (summary.NoOneWayBecause is { } why)
            {
                writer.Heading("ONE WAY");
                writer.Line($"{Of(summary)}not measured: {why}");
            }
        }
    }

    private void Write(TextWriter writer, RunSummary summary, OneWayPair pair)
    {
        var table = new OneWayTable(
            pair.Series, summary.Latencies.FirstOrDefault(series => series.Name == "network"));
        writer.Heading($"ONE WAY, {Quantity.Symbol(table.Unit)}");
        var grade = pair.Grade is { } known ? $"; grade {known}" : string.Empty;
        var andBack = table.HasBack || pair.Series.Count == 0 ? " and back" : ", without an echo";
        writer.Line($"{Of(summary)}producer {record.Instance} to consumer {pair.Consumer}{andBack}{grade}");
        foreach (var reason in pair.Reasons)
            writer.Line(reason);
        new PairClocks(pair).WriteTo(writer);
        if (pair.Headline == OneWayHeadline.RoundTrip && table.HasClockFree)
        {
            writer.Line("read the round trip first, and how each way varies (no clocks needed):");
            table.WriteClockFree(writer);
            if (table.HasDirections)
                writer.Line("one way is only as good as its ±E:");
            table.WriteDirections(writer);
        }
        else
        {
            table.WriteDirections(writer);
            if (table.HasDirections && table.HasClockFree)
                writer.WriteLine();
            table.WriteClockFree(writer);
        }

        WriteChecks(writer, pair);
    }

    private static void WriteChecks(TextWriter writer, OneWayPair pair)
    {
        var whose = pair.Series.Any(series => series.Missing > 0) ? " of what came back" : string.Empty;
        if (pair.Check is { } check)
        {
            writer.Line($"check{whose}: mean forward {Quantity.Duration(check.ForwardMeanNs)} + mean back "
                + $"{Quantity.Duration(check.BackMeanNs)} = "
                + $"{Quantity.Duration(check.ForwardMeanNs + check.BackMeanNs)}; "
                + $"mean round trip less residence {Quantity.Duration(check.NetworkMeanNs)}");
        }

        if (pair.Asymmetry is { } asymmetry)
        {
            writer.Line($"asymmetry{whose}: mean forward − back = {Signed(asymmetry.ForwardMinusBackNs)} "
                + $"±{Quantity.Duration(asymmetry.ErrorNs)} (2 E); network RTT/2 (assumes that both ways take equally "
                + $"long): mean {Quantity.Duration(asymmetry.HalfRoundTripNs)}");
        }

        if (pair.ConsumerSeries is { } own)
            writer.Line(Text(own));
        if (pair.Series.Count > 0)
        {
            var negatives = pair.Series.Select(series => $"{series.Name} {Quantity.Count(series.Negatives)}"
                + (series.NegativesBeyondError > 0
                    ? $" ({Quantity.Count(series.NegativesBeyondError)} by more than E)" : string.Empty));
            writer.Line($"negative: {string.Join(", ", negatives)}");
        }

        var floored = pair.Series.Where(series => series.BelowFloor is not null)
            .Select(series => $"{series.Name} {Quantity.Count(series.BelowFloor)}").ToList();
        if (floored.Count > 0)
            writer.Line($"below the floor by more than E: {string.Join(", ", floored)}");

        if (pair.Uncorrected > 0)
        {
            writer.Line($"{Quantity.Count(pair.Uncorrected)} messages are in neither direction: no offset "
                + "was known for them, or their stamps could not be kept");
        }

        if (pair.ImpossibleStamps > 0)
        {
            writer.Line($"{Quantity.Count(pair.ImpossibleStamps)} echoes had stamps that cannot be "
                + "and are in neither direction");
        }
    }

    internal static string Text(ConsumerComparison own)
    {
        var theirs = $"the consumer's own forward series: n {Quantity.Count(own.Count)}, "
            + $"mean {Quantity.Duration(own.MeanNs)}, min {Quantity.Duration(own.MinNs)}, "
            + $"max {Quantity.Duration(own.MaxNs)}, negative {Quantity.Count(own.Negatives)}";
        return own.ProducerCount is { } ours
            ? $"{theirs}; ours: n {Quantity.Count(ours)}, mean {Quantity.Duration(own.ProducerMeanNs)}"
            : theirs;
    }

    internal static string Signed(double nanoseconds) =>
        (nanoseconds < 0 ? "-" : "+") + Quantity.Duration(Math.Abs(nanoseconds));

    internal static string Ppm(double? ppm) => ppm is { } known
        ? known.ToString("0.###", CultureInfo.InvariantCulture)
        : Quantity.None;

    private string Of(RunSummary summary) => record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
}
