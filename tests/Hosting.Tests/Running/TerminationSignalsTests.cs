using Microsoft.Extensions.Logging.Abstractions;

namespace RedisLatency.Hosting.Running;

public sealed class TerminationSignalsTests : IDisposable
{
    private readonly List<int> _ends = [];
    private readonly SteppedTime _time = new();
    private readonly StopSignal _stop = new();
    private readonly TerminationSignals _signals;

    public TerminationSignalsTests() =>
        _signals = new TerminationSignals(_stop, _time, NullLogger.Instance, _ends.Add);

    [Fact]
    public void SameSignal_WithinTheEchoWindow_CountsOnce()
    {
        _signals.Receive(StopCause.Terminate);
        _time.Step(TerminationSignals.EchoWindow / 2);
        _signals.Receive(StopCause.Terminate);

        _stop.Cause.ShouldBe(StopCause.Terminate);
        _ends.ShouldBeEmpty();
    }

    [Fact]
    public void SameSignal_AfterTheEchoWindow_EndsAtOnce()
    {
        var announced = false;
        _stop.EndingAtOnce += () => announced = true;

        _signals.Receive(StopCause.Interrupt);
        _time.Step(TerminationSignals.EchoWindow);
        _signals.Receive(StopCause.Interrupt);

        _ends.ShouldBe([ExitCode.Interrupted]);
        announced.ShouldBeTrue();
    }

    [Fact]
    public void AnotherSignal_EndsAtOnceHoweverSoon()
    {
        _signals.Receive(StopCause.Interrupt);
        _signals.Receive(StopCause.HangUp);

        _stop.Cause.ShouldBe(StopCause.Interrupt);
        _ends.ShouldBe([ExitCode.Terminated]);
    }

    public void Dispose()
    {
        _signals.Dispose();
        _stop.Dispose();
    }

    private sealed class SteppedTime : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now;

        public void Step(TimeSpan step) => _now += step.Ticks;
    }
}
