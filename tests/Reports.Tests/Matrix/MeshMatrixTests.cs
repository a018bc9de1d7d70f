using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.Matrix;

/// <summary>The table of regions, made of the record of a merged mesh as it is stored.</summary>
public sealed class MeshMatrixTests : IDisposable
{
    private const long ErrorNs = 14_200_000;
    private const double AverageMs = 29.6;
    // A histogram's value may be a thousandth off.
    private const double Exactly = 0.06;

    private static readonly string[] Regions = ["beijing", "shanghai", "shenzhen"];

    private readonly ScratchFolder _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public void EveryWay_IsARow_BesideWhatWasPublished()
    {
        var matrix = MatrixOf(Store(way => way));

        var rows = Csv(matrix);
        rows.Select(row => $"{row["source"]} {row["destination"]}").ShouldBe(
        [
            "beijing shanghai", "beijing shenzhen", "shanghai beijing", "shanghai shenzhen", "shenzhen beijing",
            "shenzhen shanghai",
        ]);
        foreach (var row in rows)
        {
            row["series"].ShouldBe("forward-intended");
            Number(row["average_ms"]).ShouldBe(AverageMs, Exactly);
            Number(row["p95_ms"]).ShouldBe(40, Exactly);
            Number(row["p99_ms"]).ShouldBe(60, Exactly);
            (row["average_error_ms"], row["read"], row["not_read"], row["runs_in_doubt"])
                .ShouldBe(("14.2", "1000", "0", "0"));
        }

        (rows[1]["published_average_ms"], rows[1]["published_p95_ms"], rows[1]["published_p99_ms"])
            .ShouldBe(("34.2", "69.5", "103"));
    }

    [Fact]
    public void Text_HasBothTables_AndSaysWhatTheyAreOf()
    {
        var lines = Text(MatrixOf(Store(way => way)));

        lines[0].ShouldBe("ONE WAY BETWEEN REGIONS, ms, from when messages were due");
        lines[1].ShouldEndWith("±  messages  missing");
        lines.ShouldAllBe(line => line.Length <= 80);
        var tables = lines.Where(line => line.StartsWith("  beijing → shenzhen ", StringComparison.Ordinal))
            .Select(line => CellsOf(line)[3..]).ToList();
        tables.Count.ShouldBe(2);
        var (measured, published) = (tables[0], tables[1]);
        measured[3..].ShouldBe(["14.20", "1,000", "0"]);
        published[..3].ShouldBe(["34.20", "69.50", "103.00"]);
        for (var figure = 0; figure < 3; figure++)
        {
            Number(published[3 + figure])
                .ShouldBe(Number(measured[figure]) - Number(published[figure]), 0.011);
        }

        var notes = string.Join(' ', lines.SelectMany(CellsOf));
        notes.ShouldContain("the two clocks are not known better (E)");
        notes.ShouldContain("of replicated keys, not of messages");
        notes.ShouldNotContain(" polls");
    }

    [Fact]
    public void WithoutASchedule_DelaysAreFromWhenMessagesWereSent()
    {
        var matrix = MatrixOf(Store(way => way with { Forward = Series(name: "forward") }));

        Text(matrix)[0].ShouldBe("ONE WAY BETWEEN REGIONS, ms, from when messages were sent");
    }

    [Fact]
    public void PublishedPair_StandsOnce_WhereKeysAndMessagesWereMeasured()
    {
        var keys = DelayMatrix.OfKeys([], PublishedDelays.All[0]);

        var rows = Csv(MatrixOf(Store(way => way)), keys);

        rows.Count.ShouldBe(6);
        rows.ShouldAllBe(row => row["runs"] == "1");
        Csv(keys, keys).Count.ShouldBe(6);
    }

    [Fact]
    public void WhatDidNotComeBack_CountsAsSlower_AndARunInDoubtIsMarked()
    {
        var matrix = MatrixOf(Store(way => way.From != "shenzhen" ? way : way with
        {
            IsInDoubt = true,
            Forward = Series(missing: 30),
        }));

        var row = matrix.Rows.Single(row => row.IsOf("shenzhen", "beijing"));
        (row.Read, row.NotRead, row.RunsInDoubt).ShouldBe((1_000, 30, 1));
        row.Measured.Average.ShouldBeNull();
        row.Measured.P95!.Value.ShouldBe(40e6, Exactly * 1e6);
        row.Measured.P99.ShouldBeNull();
        var line = Text(matrix).First(line => line.Contains("shenzhen → beijing", StringComparison.Ordinal));
        line.Split("missing").Length.ShouldBe(3, line);
        line.ShouldContain("1,000 !");
    }

    [Fact]
    public void OfGradeF_AndOfARecordWithoutThe95th_NothingIsMadeUp()
    {
        var matrix = MatrixOf(Store(way => way with
        {
            Forward = way.From == "beijing" ? null : Series(percentiles: PercentileTable.Percentiles),
        }));

        foreach (var row in matrix.Rows)
        {
            row.Measured.P95.ShouldBeNull();
            row.Measured.P99.HasValue.ShouldBe(row.Source != "beijing");
        }

        CellsOf(Text(matrix).First(line => line.Contains("beijing → shanghai", StringComparison.Ordinal)))[3..]
            .ShouldBe(["-", "-", "-", "-", "0", "0"]);
    }

    private static DelayMatrix MatrixOf(RunRecord record) =>
        DelayMatrix.OfMessages(record.Regions.ShouldNotBeNull().Ways, PublishedDelays.All[0]);

    private static double Number(string cell) => double.Parse(cell, CultureInfo.InvariantCulture);

    private static string[] CellsOf(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static string[] Text(DelayMatrix matrix)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        SectionText.Write(writer, new MatrixTable(matrix).ToSections());
        return writer.ToString().TrimEnd('\n').Split('\n');
    }

    private static List<Dictionary<string, string>> Csv(params DelayMatrix[] matrices)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        new MatrixExport(matrices).WriteCsv(writer);
        var lines = writer.ToString().TrimEnd('\n').Split('\n').Select(line => line.Split(',')).ToList();
        return
        [
            .. lines.Skip(1)
                .Select(cells => lines[0].Zip(cells).ToDictionary(cell => cell.First, cell => cell.Second)),
        ];
    }

    // Of a thousand 900, 80 and 20.
    private static OneWaySeries Series(
        long missing = 0, IReadOnlyList<double>? percentiles = null, string name = "forward-intended")
    {
        var values = SignedLatencyHistogram.ForLatency();
        for (var i = 0; i < 1_000; i++)
            values.Record(i < 900 ? 28_000_000 : i < 980 ? 40_000_000 : 60_000_000);
        values.Values.SetMissing(missing);
        return OneWaySeries.Of(
            name, values, ErrorNs, percentiles: percentiles ?? PercentileTable.BetweenRegions);
    }

    private RunRecord Store(Func<RegionWay, RegionWay> change)
    {
        var ways =
            from source in Regions
            from destination in Regions
            where source != destination
            select change(new RegionWay
            {
                From = source,
                To = destination,
                Producer = $"1 in {source}",
                Consumer = $"1 in {destination}",
                Grade = OneWayGrade.C,
                Forward = Series(),
            });
        var record = SampleRunRecord.Create() with { Regions = new RegionMatrix { Ways = [.. ways] } };
        var folder = ResultsFolder.Create(_root.Path, DateTimeOffset.UnixEpoch, record.Run, record.Instance);
        RunRecordWriter.Write(folder, record, secrets: []);
        return RunRecordReader.Read(folder.Path);
    }
}
