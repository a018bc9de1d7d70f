using System.Diagnostics;

namespace RedisLatency.Hosting.Live;

public sealed class ReporterThreadTests
{
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromSeconds(30);

    [Fact]
    public void Intervals_EndWhenTheyAreDueOrLater()
    {
        var ends = new List<long>();
        using var enough = new ManualResetEventSlim();
        var start = Stopwatch.GetTimestamp();
        using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(1), end =>
        {
            ends.Add(end);
            if (ends.Count == 50)
                enough.Set();
        });

        enough.Wait(LimitAgainstHangs, TestContext.Current.CancellationToken).ShouldBeTrue();
        reporter.Stop();

        for (var index = 0; index < ends.Count; index++)
            ends[index].ShouldBeGreaterThanOrEqualTo(start + ((index + 1) * Stopwatch.Frequency / 1000));
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
        var start = Stopwatch.GetTimestamp();
        var last = start;
        using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(10), end =>
        {
            last = end;
            if (++calls == 1)
                never.Wait(TimeSpan.FromMilliseconds(55));
            else
                second.Set();
        });

        second.Wait(LimitAgainstHangs, TestContext.Current.CancellationToken).ShouldBeTrue();
        reporter.Stop();

        var elapsed = Stopwatch.GetElapsedTime(start, last);
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
