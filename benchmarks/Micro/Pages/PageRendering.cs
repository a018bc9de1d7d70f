using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Micro.Pages;

/// <summary>What it takes to make a page of an hour: 20 series, 3,600 intervals, 1,000 values in each.</summary>
[MemoryDiagnoser]
public class PageRendering
{
    private const int Series = 20;
    private const int Seconds = 3_600;
    private const int PerSecond = 1_000;

    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_795_517_311);

    private readonly string _folder = Directory.CreateTempSubdirectory("page").FullName;

    /// <summary>Draws latencies that are log-normal, each series of another median.</summary>
    [GlobalSetup]
    public void Write()
    {
        var random = new Random(7);
        using var stream = File.Create(Path.Combine(_folder, "latency.hlog"));
        var log = new IntervalLogWriter(stream, Start, "benchmark");
        var histogram = LatencyHistogram.ForLatency();
        for (var second = 0; second < Seconds; second++)
        {
            for (var series = 0; series < Series; series++)
            {
                histogram.Reset();
                for (var number = 0; number < PerSecond; number++)
                    histogram.Record((long)(100_000 * (series + 1) * Math.Exp(Normal(random) / 2)));
                log.Write($"series{series}", Start.AddSeconds(second), TimeSpan.FromSeconds(1), histogram);
            }
        }
    }

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public async Task<int> HourOfTwentySeries()
    {
        var page = new StringWriter();
        await RunPage.WriteAsync(page, [new PageRun(SavedRun.Open(_folder))], [], string.Empty);
        return page.GetStringBuilder().Length;
    }

    [GlobalCleanup]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
