using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;
using RedisLatency.Producer.Measuring;

namespace RedisLatency.Producer.Tests.Measuring;

/// <summary>What the thread that reports allocates: its collections would stop the thread that measures.</summary>
public class ReporterAllocationTests
{
    // Seven series, each with a ZLibStream, its deflater and a MemoryStream of its own: 296 bytes each were measured on
    // .NET 10, which is 2 KB a second, so that an hour of it fills a generation 0 of 256 KB about thirty times.
    private const long MostPerLoggedInterval = 4 << 10;

    [Fact]
    public void Interval_WithoutALog_AllocatesNothing() =>
        BytesPerInterval(folder: null).ShouldBe(0);

    [Fact]
    public void Interval_WithALog_AllocatesTheCompressorOnly()
    {
        var root = Directory.CreateTempSubdirectory("redislatency-reporter-");
        try
        {
            BytesPerInterval(ResultsFolder.Create(root.FullName, TimeProvider.System.GetUtcNow(), "run", "test"))
                .ShouldBeLessThanOrEqualTo(MostPerLoggedInterval);
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    // The least of four intervals: the first ones compile what they call.
    private static long BytesPerInterval(ResultsFolder? folder)
    {
        var options = new ProducerOptions { Rate = 2_000, Iterations = 10_000, WarmUp = new WarmUpLimit(500, null) };
        var plan = new ProducerPlan(options, rateIsGiven: true);
        using var stop = new StopSignal();
        using var target = new SelfContainedTarget(plan, DriverKind.Raw);
        using var session = new TargetSession("in-process", string.Empty, target.Target, plan);
        session.Connect();
        session.Rendezvous(_ => { }, stop);
        session.WarmUp(stop);
        session.Prepare();
        using var log = new IntervalLogFile(folder, TimeProvider.System.GetUtcNow());
        using var instrument = InstrumentWatch.Start();
        using var view = new AllocationView();
        var run = new RunContext(
            stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());
        using var reporter = new IntervalReporter(
            session.Metrics, new TargetProgress(session, plan, NullLogger.Instance).Tell, run, log,
            instrument, view);
        session.Measure(stop);
        return view.LeastPerInterval;
    }
}
