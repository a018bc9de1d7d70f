using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class HiccupMeterTests
{
    [Fact]
    public void Dispose_AfterSomeWakeUps_HasRecordedEachAndEndsTheThread()
    {
        var recorder = new LatencyRecorder();
        var hiccups = LatencyHistogram.ForLatency();
        var start = TimeProvider.System.GetTimestamp();

        using (HiccupMeter.Start(recorder, new LatencyRecorder(), () => { }))
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
        // Every 5 ms and never early: not one wake-up more than fits.
        hiccups.TotalCount.ShouldBeInRange(20, ((long)elapsed.TotalMilliseconds / 5) + 1);
        hiccups.BelowRange.ShouldBe(0);
    }
}
