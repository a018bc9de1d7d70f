using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Live;

public class IntervalReporterTests
{
    [Fact]
    public async Task Intervals_FollowEachOtherWithoutAGap()
    {
        var taken = new ConcurrentQueue<TakenInterval>();
        using var stop = new StopSignal();
        using var log = new IntervalLogFile(null, TimeProvider.System.GetUtcNow());
        using var instrument = InstrumentWatch.Start();
        var run = new RunContext(
            stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());
        using var reporter = new IntervalReporter(
            new MetricSet(), (in interval, ref _) => taken.Enqueue(interval), run, log, instrument, LiveViews.None());

        await Eventually.Is("two intervals have ended", () => taken.Count >= 2);
        reporter.Stop();

        taken.Count.ShouldBeGreaterThanOrEqualTo(3, "what is left over at the end is one too");
        foreach (var (before, after) in taken.Zip(taken.Skip(1)))
            (after.Start - before.End).ShouldBe(TimeSpan.Zero);
        taken.ShouldAllBe(one => (one.End - one.Start - one.Duration).Duration() <= TimeSpan.FromMicroseconds(1));
    }
}
