using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Recording;

namespace RedisLatency.Metrics.Tests.Machine;

public class HiccupMeterTests
{
    [Fact]
    public void Dispose_AfterSomeWakeUps_HasRecordedEachAndEndsTheThread()
    {
        var recorder = new LatencyRecorder();
        var hiccups = LatencyHistogram.ForLatency();
        var start = TimeProvider.System.GetTimestamp();

        using (HiccupMeter.Start(recorder))
        {
            SpinWait.SpinUntil(
                () =>
                {
                    recorder.TakeInterval(hiccups);
                    return hiccups.TotalCount >= 20;
                },
                TimeSpan.FromSeconds(30)).ShouldBeTrue();
        }

        recorder.TakeInterval(hiccups);
        var elapsed = TimeProvider.System.GetElapsedTime(start);
        // Once a millisecond and never early: not one wake-up more than there were milliseconds.
        hiccups.TotalCount.ShouldBeInRange(20, (long)elapsed.TotalMilliseconds + 1);
        hiccups.BelowRange.ShouldBe(0);
    }
}
