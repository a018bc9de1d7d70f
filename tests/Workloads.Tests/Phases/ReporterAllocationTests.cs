using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Producer.Tests.Measuring;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

/// <summary>What the thread that reports allocates: its collections would stop the threads that measure.</summary>
public class ReporterAllocationTests
{
    // The least of the intervals: the first ones compile what they call.
    [Fact]
    public void Interval_WithoutALog_AllocatesNothing()
    {
        using var server = EmbeddedServer.Start();
        using var stop = new StopSignal();
        var target = new ResolvedTarget(
            RedisEndpoint.Parse(server.Endpoint), new RedisConnectionOptions(), DriverKind.Raw);
        var phase = new PhasePlan("run", isLoad: false, new PhaseOptions
        {
            Rate = RateStep.Constant(1_000),
            Duration = TimeSpan.FromSeconds(4),
            WarmUp = TimeSpan.Zero,
            Records = 1_000,
        });
        using var session = new PhaseSession(phase, string.Empty, [target], new RunningOptions());
        session.Connect();
        using var log = new IntervalLogFile(null, TimeProvider.System.GetUtcNow());
        using var instrument = InstrumentWatch.Start();
        using var view = new AllocationView();
        var run = new RunContext(
            stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());

        session.Measure(
            measured => new IntervalReporter(
                measured.Metrics, new PhaseProgress(measured, NullLogger.Instance).Tell, run, log, instrument,
                view),
            stop);

        view.LeastPerInterval.ShouldBe(0);
    }
}
