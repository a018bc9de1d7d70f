using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Tests.Running;

/// <summary>What fails while a report is made costs that part of it.</summary>
public sealed class ReportPartTests
{
    [Fact]
    public void PartThatFails_IsMissing_AndTheOthersAreThere()
    {
        using var stop = new StopSignal();
        var run = new RunContext(
            stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());
        run.Enter(RunPhase.Measure);
        run.Enter(RunPhase.Report);

        var failed = run.Parts<string>(() => throw new OverflowException("too much"));
        var whole = run.Parts<string>(() => ["a note"]);
        var none = run.Part<string>(() => throw new OverflowException("too much"));

        failed.ShouldBeEmpty();
        whole.ShouldBe(["a note"]);
        none.ShouldBeNull();
        run.Failure.ShouldNotBeNull().ExitCode.ShouldBe(ExitCode.Fault);
        run.Failure.Message.ShouldContain("OverflowException: too much");
    }
}
