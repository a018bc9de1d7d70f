using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

internal sealed class LinkSummary(LinkTotals totals)
{
    public void WriteTo(TextWriter writer, int exitCode)
    {
        var given = new Table("way", "chunks", "min", "p50", "p99", "max", "late p50", "late p99");
        AddWay(given, "forward", totals.Forward);
        AddWay(given, "back", totals.Back);
        var fates = new Table(
            ["way", "bytes", .. Enum.GetNames<ChunkFate>().Select(name => name.ToLowerInvariant())]);
        AddFates(fates, "forward", totals.Forward);
        AddFates(fates, "back", totals.Back);
        SectionText.Write(
            writer,
            new Section("GIVEN (released − arrived), and LATE (given − asked)").Add(given),
            new Section().Add(fates));
        writer.WriteLine();
        writer.WriteLine(ResultLine(exitCode));
    }

    private static void AddWay(Table table, string name, DirectionTotals way) => table.Add(
        name,
        Quantity.Count(way.Chunks),
        Duration(way.Given, way.Given.Min),
        Duration(way.Given, way.Given.ValueAtPercentile(50)),
        Duration(way.Given, way.Given.ValueAtPercentile(99)),
        Duration(way.Given, way.Given.Max),
        Duration(way.Late, way.Late.ValueAtPercentile(50)),
        Duration(way.Late, way.Late.ValueAtPercentile(99)));

    private static string Duration(LatencyHistogram histogram, long value) =>
        histogram.TotalCount == 0 ? Quantity.None : Quantity.Duration(value);

    private static void AddFates(Table table, string name, DirectionTotals way)
    {
        var fates = Enum.GetValues<ChunkFate>().Select(fate => Quantity.Count(way.CountOf(fate)));
        table.Add([name, Quantity.Count(way.Bytes), .. fates]);
    }

    private string ResultLine(int exitCode) => string.Create(
        CultureInfo.InvariantCulture,
        $"RESULT role=link forward={totals.Forward.Chunks} back={totals.Back.Chunks} exit={exitCode}");
}

internal sealed class DirectionTotals
{
    private readonly long[] _fates = new long[Enum.GetValues<ChunkFate>().Length];

    /// <summary>How long what came out really took, in nanoseconds.</summary>
    public LatencyHistogram Given { get; } = LatencyHistogram.ForLatency();

    /// <summary>How much longer than the delay and jitter that were asked for, in nanoseconds.</summary>
    public LatencyHistogram Late { get; } = LatencyHistogram.ForLatency();

    /// <summary>Chunks and datagrams that went in, and copies.</summary>
    public long Chunks { get; private set; }

    /// <summary>Bytes that came out.</summary>
    public long Bytes { get; private set; }

    public long CountOf(ChunkFate fate) => _fates[(int)fate];

    public void Add(in RelayedChunk chunk)
    {
        Chunks++;
        _fates[(int)chunk.Fate]++;
        if (!chunk.CameOut)
            return;
        Bytes += chunk.Bytes;
        Given.Record(chunk.GivenNs);
        Late.Record(Math.Max(0, chunk.GivenNs - chunk.AskedNs));
    }
}
