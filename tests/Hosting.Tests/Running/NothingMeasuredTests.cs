using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Tests.Running;

/// <summary>A run that measured nothing is valid only for whoever stopped it.</summary>
public sealed class NothingMeasuredTests
{
    [Theory]
    [InlineData(false, ExitCode.NotValid)]
    [InlineData(true, ExitCode.Valid)]
    public void RunThatMeasuredNothing_IsNotValid_UnlessItWasStopped(bool isStopped, int expected)
    {
        using var stop = new StopSignal();
        var run = new RunContext(
            stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());
        run.Enter(RunPhase.Measure);
        if (isStopped)
            stop.Request(StopCause.Interrupt);
        run.Enter(RunPhase.Report);

        run.ReportNothing(RunPhase.Measure).ShouldBe(expected);
    }
}
