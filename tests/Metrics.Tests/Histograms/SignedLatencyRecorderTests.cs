using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class SignedLatencyRecorderTests
{
    [Fact]
    public void TakeInterval_HoldsBothSigns()
    {
        var recorder = new SignedLatencyRecorder();
        var expected = SignedLatencyHistogram.ForLatency();
        foreach (var value in (long[])[3, -3, 0, long.MinValue])
        {
            recorder.Record(value);
            expected.Record(value);
        }

        var interval = SignedLatencyHistogram.ForLatency();
        recorder.TakeInterval(interval);
        interval.ShouldBe(expected);

        recorder.TakeInterval(interval);
        interval.ShouldBe(expected);
    }
}
