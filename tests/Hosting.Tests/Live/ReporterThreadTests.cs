using System.Diagnostics;

namespace RedisLatency.Hosting.Live;

public sealed class ReporterThreadTests
{
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromSeconds(30);

    [Fact]
    public void Intervals_FollowEachOtherWithoutAGap()
    {
        var intervals = new List<ReportInterval>();
        using var enough = new ManualResetEventSlim();
        using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(1), interval =>
        {
            intervals.Add(interval);
            if (intervals.Count == 50)
                enough.Set();
        });

        enough.Wait(LimitAgainstHangs, TestContext.Current.CancellationToken).ShouldBeTrue();
        reporter.Stop();

        intervals[0].FromTimestamp.ShouldBe(reporter.StartTimestamp);
        intervals[^1].ToTimestamp.ShouldBe(reporter.LastTimestamp);
        for (var index = 1; index < intervals.Count; index++)
        {
            intervals[index].FromTimestamp.ShouldBe(intervals[index - 1].ToTimestamp);
            var due = reporter.StartTimestamp + ((index + 1) * Stopwatch.Frequency / 1000);
            intervals[index].ToTimestamp.ShouldBeGreaterThanOrEqualTo(due);
        }
    }

    [Fact]
    public void Stop_DuringALongInterval_DoesNotWaitForIt()
    {
        using var reporter = new ReporterThread(TimeSpan.FromHours(1), _ => { });

        var stopping = Stopwatch.StartNew();
        reporter.Stop();

        stopping.Elapsed.ShouldBeLessThan(LimitAgainstHangs);
    }

    [Fact]
    public void SlowReport_SkipsWhatItMissedAndKeepsTheSchedule()
    {
        using var second = new ManualResetEventSlim();
        using var never = new ManualResetEventSlim();
        var calls = 0;
        using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(10), _ =>
        {
            if (++calls == 1)
                never.Wait(TimeSpan.FromMilliseconds(55));
            else
                second.Set();
        });

        second.Wait(LimitAgainstHangs, TestContext.Current.CancellationToken).ShouldBeTrue();
        reporter.Stop();

        var elapsed = Stopwatch.GetElapsedTime(reporter.StartTimestamp, reporter.LastTimestamp);
        calls.ShouldBeLessThanOrEqualTo(1 + (int)(elapsed.TotalMilliseconds / 10) - 5);
    }

    [Fact]
    public void Thread_AllocatesNothing()
    {
        var allocated = new List<long>(100);
        using var enough = new ManualResetEventSlim();
        using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(1), _ =>
        {
            if (allocated.Count < 60)
                allocated.Add(GC.GetAllocatedBytesForCurrentThread());
            else
                enough.Set();
        });

        enough.Wait(LimitAgainstHangs, TestContext.Current.CancellationToken).ShouldBeTrue();

        allocated[^1].ShouldBe(allocated[10]);
    }
}
