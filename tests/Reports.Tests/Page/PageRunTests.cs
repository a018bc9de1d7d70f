using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.IntervalLogs;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Page;

public sealed class PageRunTests : IDisposable
{
    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_795_517_311);

    private readonly string _folder = Directory.CreateTempSubdirectory("page").FullName;

    [Fact]
    public async Task Page_OfAnHourOfTwentySeries_IsBelowTwoMegabytes()
    {
        Write(hours: 1, series: 20, (random, second) => (long)(100_000 * (1 + second % 7) * (1 + random.NextDouble())));

        var page = await Page();

        page.Length.ShouldBeInRange(500_000, 2_000_000);
        page.ShouldNotContain("NaN");
    }

    [Fact]
    public void Slices_OfALog_HaveItsValuesExactly()
    {
        Write(hours: 0.1, series: 2, (_, second) => 1_000 * (second + 1));

        var run = new RunTimelines(SavedRun.Open(_folder));

        var series = run.Series.First();
        series.All.TotalCount.ShouldBe(360 * 20);
        series.Slices.Count.ShouldBe(180);
        series.Slices.Sum(slice => slice.Count).ShouldBe(series.All.TotalCount);
        // Two seconds a slice, twenty values each of 1,000 (n + 1) ns.
        series.Slices[0].ShouldSatisfyAllConditions(
            slice => slice.Count.ShouldBe(40),
            slice => slice.P50!.Value.ShouldBe(1_000),
            slice => slice.P90.ShouldBeNull(),
            slice => slice.Max!.Value.ShouldBeInRange(2_000, 2_001),
            slice => slice.Length.ShouldBe(TimeSpan.FromSeconds(2)));
        run.Headline!.Slices.ShouldAllBe(slice => slice.Bands.Counts.Sum() == slice.Count);
    }

    [Fact]
    public void Curve_OfARunThatLostAThird_EndsBeforeTheTwoThirds()
    {
        var sample = Path.Combine(RepositoryRoot.Path, "tests/Reports.Tests/Summaries/Runs/producer");
        File.Copy(Path.Combine(sample, "latency.hlog"), Path.Combine(_folder, "latency.hlog"));
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(sample, "run.json")))!;
        record["summaries"]![0]!["latencies"]![0]!["missing"] = 30_000;
        File.WriteAllText(Path.Combine(_folder, "run.json"), record.ToJsonString());

        var page = new PageRun(SavedRun.Open(_folder));

        var curve = page.Charts.First(chart => chart.Title == "Percentiles").Lines
            .First(line => line.Name == "rtt-intended");
        curve.Points.Where(point => point.Y is not null).Max(point => point.X).ShouldBeInRange(60, 66.7);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<string> Page()
    {
        var writer = new StringWriter();
        await RunPage.WriteAsync(writer, [new PageRun(SavedRun.Open(_folder))], null, string.Empty);
        return writer.ToString();
    }

    private void Write(double hours, int series, Func<Random, int, long> value)
    {
        var random = new Random(1);
        using var stream = File.Create(Path.Combine(_folder, "latency.hlog"));
        var log = new IntervalLogWriter(stream, Start, "test");
        var histogram = LatencyHistogram.ForLatency();
        for (var second = 0; second < hours * 3_600; second++)
        {
            for (var number = 0; number < series; number++)
            {
                histogram.Reset();
                for (var count = 0; count < 20; count++)
                    histogram.Record(value(random, second));
                log.Write($"s{number}", Start.AddSeconds(second), TimeSpan.FromSeconds(1), histogram);
            }
        }
    }
}
