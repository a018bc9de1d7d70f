using RedisLatency.Hosting.Thresholds;
using RedisLatency.Replication.Heartbeat.Alerts;

namespace RedisLatency.Replication.Tests.Heartbeat.Alerts;

public class AlertStateTests
{
    [Fact]
    public void Take_TellsChangesOnly()
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
        record.Reason.ShouldBe("✗ age<5s: 8s, 3s (60 %) above the limit, at the worst; alert raised once");
    }

    [Fact]
    public void ToRecord_OfWhatCouldNeverBeDecided_SaysSo()
    {
        var state = new AlertState(Threshold.Parse("age<5s"));
        Take(state, double.NaN);

        state.ToRecord().Held.ShouldBeNull();
    }

    private static bool Take(AlertState state, double seconds) =>
        state.Take(state.Threshold.Evaluate(new OneAge(seconds * 1e9)), 0);

    private sealed class OneAge(double nanoseconds) : IThresholdSource
    {
        public ThresholdReading? Find(Threshold threshold) => new ThresholdReading(nanoseconds);
    }
}
