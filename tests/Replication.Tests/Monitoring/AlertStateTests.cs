using RedisLatency.Replication.Monitoring;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Tests.Monitoring;

public class AlertStateTests
{
    [Fact]
    public void Take_ReportsChangesOnly()
    {
        var state = new AlertState(Threshold.Parse("age<5s"));

        Take(state, 1).ShouldBeFalse();
        Take(state, 6).ShouldBeTrue();
        Take(state, 7).ShouldBeFalse();
        Take(state, double.NaN).ShouldBeFalse();
        state.IsRaised.ShouldBeTrue();
        Take(state, 1).ShouldBeTrue();
        Take(state, 9).ShouldBeTrue();

        state.Times.ShouldBe(2);
    }

    [Fact]
    public void ToRecord_HasTheWorstOfTheRun()
    {
        var state = new AlertState(Threshold.Parse("age<5s"));
        foreach (var seconds in (double[])[1, 8, 2])
            Take(state, seconds);

        var record = state.ToRecord();

        record.Held.ShouldBe(false);
        record.Measured.ShouldBe(8e9);
        record.Reason.ShouldBe("✗ age < 5 s   8 s, at the worst; alert raised once");
    }

    [Fact]
    public void ToRecord_OfWhatCouldNeverBeDecided_SaysSo()
    {
        var state = new AlertState(Threshold.Parse("age<5s"));
        Take(state, double.NaN);

        state.ToRecord().Held.ShouldBeNull();
    }

    /// <summary>What is on its way when a window ends has its delay in the window in which it comes.</summary>
    [Theory]
    [InlineData(1e9, 0, true)]
    [InlineData(8e9, 0, false)]
    [InlineData(2e9, 1, null)]
    public void ToRecord_OfAWindowThatEndedWithAHeartbeatOnItsWay_IsDecidedByTheNext(
        double next, long stillMissing, bool? held)
    {
        var state = new AlertState(Threshold.Parse("delay.max<5s"));
        state.Take(state.Threshold.Evaluate(new ThresholdReading(1e9)), 0);
        state.Take(
            state.Threshold.Evaluate(new ThresholdReading(2e9) { Missing = 1 }), 0, willBeKnown: true);
        state.AwaitsAnother.ShouldBeTrue();

        state.Take(
            state.Threshold.Evaluate(new ThresholdReading(next) { Missing = stillMissing }), 0,
            willBeKnown: true);

        state.AwaitsAnother.ShouldBe(held is null);
        state.ToRecord().Held.ShouldBe(held);
    }

    [Fact]
    public void ToRecord_OfARunWithAWindowThatMissingHeartbeatsCouldChange_IsNotKnown()
    {
        var state = new AlertState(Threshold.Parse("delay.max<5s"));
        state.Take(state.Threshold.Evaluate(new ThresholdReading(1e9)), 0);
        state.Take(state.Threshold.Evaluate(new ThresholdReading(2e9) { Missing = 3 }), 0).ShouldBeFalse();
        state.Take(state.Threshold.Evaluate(new ThresholdReading(1e9)), 0);

        var record = state.ToRecord();

        record.Held.ShouldBeNull();
        record.Reason.ShouldBe("? delay.max < 5 s   not known, because 3 samples are missing, in a window");
    }

    private static bool Take(AlertState state, double seconds) =>
        state.Take(state.Threshold.Evaluate(new ThresholdReading(seconds * 1e9)), 0);
}
