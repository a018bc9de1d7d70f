using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class LatencyRecorderTests
{
    private static readonly TimeSpan HangLimit = TimeSpan.FromSeconds(60);

    [Fact]
    public void TakeInterval_HoldsWhatWasRecordedSinceTheLastOne()
    {
        var recorder = new LatencyRecorder();
        var interval = LatencyHistogram.ForLatency();
        recorder.Record(10);
        recorder.Record(20);
        recorder.TakeInterval(interval);
        interval.TotalCount.ShouldBe(2);

        interval.Reset();
        recorder.Record(30);
        recorder.Record(-1);
        recorder.Record(long.MaxValue);
        recorder.TakeInterval(interval);
        interval.TotalCount.ShouldBe(1);
        interval.Min.ShouldBe(30);
        interval.BelowRange.ShouldBe(1);
        interval.AboveRange.ShouldBe(1);

        interval.Reset();
        recorder.TakeInterval(interval);
        interval.ShouldBe(LatencyHistogram.ForLatency());
    }

    [Fact]
    public async Task TakeInterval_WhileAnotherThreadRecords_LosesAndRepeatsNothing()
    {
        // The smallest histogram: its interval is taken in the time of a few records, which is when it can go wrong.
        const int Values = 20_000_000;
        var recorder = new LatencyRecorder(Smallest());
        var taken = Smallest();
        var writer = Task.Factory.StartNew(
            () =>
            {
                for (var i = 0; i < Values; i++)
                    recorder.Record(i & 31);
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

        var intervals = 0;
        while (!writer.IsCompleted)
        {
            recorder.TakeInterval(taken);
            intervals++;
        }

        await writer.WaitAsync(HangLimit, TestContext.Current.CancellationToken);
        recorder.TakeInterval(taken);

        var expected = Smallest();
        for (var value = 0; value < 32; value++)
            expected.Record(value, Values / 32);
        intervals.ShouldBeGreaterThan(0);
        taken.ShouldBe(expected);
    }

    [Fact]
    public async Task Follower_HasEachValueInTheIntervalOfItsLeaders()
    {
        const int Values = 10_000_000;
        var leader = new LatencyRecorder();
        var follower = new LatencyRecorder(leader);
        var writer = Task.Factory.StartNew(
            () =>
            {
                for (var i = 0; i < Values; i++)
                    leader.Record(i & 31, follower, i & 31);
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

        var (leading, following) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        for (var isLast = false; !isLast;)
        {
            isLast = writer.IsCompleted;
            // In either order.
            follower.EndInterval();
            leader.EndInterval();
            LatencyRecorder.Fence();
            leader.Collect(leading);
            follower.Collect(following);
            following.TotalCount.ShouldBe(leading.TotalCount);
        }

        await writer.WaitAsync(HangLimit, TestContext.Current.CancellationToken);
        following.ShouldBe(leading);
        leading.TotalCount.ShouldBe(Values);
    }

    [Fact]
    public async Task TakeInterval_WithAWriterThatNeverRecordsAgain_DoesNotWaitForIt()
    {
        var recorder = new LatencyRecorder();
        using var mayEnd = new ManualResetEventSlim();
        using var hasRecorded = new ManualResetEventSlim();
        var writer = Task.Factory.StartNew(
            () =>
            {
                recorder.Record(1);
                hasRecorded.Set();
                mayEnd.Wait(HangLimit);
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        hasRecorded.Wait(HangLimit, TestContext.Current.CancellationToken).ShouldBeTrue();

        var interval = LatencyHistogram.ForLatency();
        await Task.Run(() => recorder.TakeInterval(interval), TestContext.Current.CancellationToken)
            .WaitAsync(HangLimit, TestContext.Current.CancellationToken);
        writer.IsCompleted.ShouldBeFalse();
        mayEnd.Set();
        await writer;

        interval.TotalCount.ShouldBe(1);
    }

    [Fact]
    public void Record_AllocatesNothing()
    {
        var recorder = new LatencyRecorder();
        recorder.Record(1);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 10_000; i++)
            recorder.Record(i * 1_000L);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    private static LatencyHistogram Smallest() => new(1, 2, 1);
}
