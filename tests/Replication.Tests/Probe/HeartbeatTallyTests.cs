using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Probe;

public sealed class HeartbeatTallyTests : IDisposable
{
    private readonly HeartbeatTally _tally;

    public HeartbeatTallyTests()
    {
        var schedule = new ProbeSchedule(1_000_000, long.MaxValue);
        schedule.Begin(MonotonicClock.NowNs());
        _tally = NewTally(schedule);
    }

    public void Dispose() => _tally.Dispose();

    [Fact]
    public void See_OfALaterOne_CountsThoseBeforeAsSkipped()
    {
        Send(10);

        See(3);
        See(9);

        var counts = _tally.Counts;
        (counts.Read, counts.Skipped, counts.Waiting).ShouldBe((2, 8, 0));
    }

    [Fact]
    public void See_AfterRefusals_DoesNotCountThemAsSkipped()
    {
        Send(10);
        foreach (var refused in (long[])[1, 2, 3, 6, 9])
            _tally.Refuse(refused);

        See(0);
        See(7);

        var counts = _tally.Counts;
        // 4 and 5 are skipped, 8 is not known yet, and 9 was refused.
        (counts.Read, counts.Skipped, counts.Refused, counts.Waiting).ShouldBe((2, 2, 5, 1));
    }

    [Fact]
    public void Refuse_OfOneThatCountsAsSkippedAlready_CountsItOnce()
    {
        Send(3);
        See(2);

        _tally.Refuse(1);

        var counts = _tally.Counts;
        (counts.Read, counts.Skipped, counts.Refused, counts.Asked).ShouldBe((1, 2, 0, 3));
    }

    [Fact]
    public void Refuse_ForGood_NeedsNoMoreMemoryAndStillAccountsForAll()
    {
        const int Spells = 10_000;
        for (var i = 0; i < Spells; i++)
        {
            // Every other one is taken by the source, and never comes.
            Send(2);
            _tally.Refuse(2 * i);
        }

        Send(1);
        See(2 * Spells);

        var counts = _tally.Counts;
        (counts.Refused, counts.Skipped, counts.Read, counts.Waiting).ShouldBe((Spells, Spells, 1, 0));
    }

    [Fact]
    public void Count_DuringAnOutage_CountsWhatBecomesDueAsUnsent()
    {
        var schedule = new ProbeSchedule(1_000_000, long.MaxValue);
        schedule.Begin(MonotonicClock.NowNs() - 100_000_000);
        using var tally = NewTally(schedule);

        tally.BeginOutage(20);
        var during = tally.Counts.Unsent;
        var next = tally.EndOutage();

        during.ShouldBeGreaterThan(80);
        next.ShouldBeGreaterThanOrEqualTo(20 + during);
        tally.Counts.Unsent.ShouldBe(next - 20);
    }

    [Fact]
    public void TakeLongestAge_KnowsAgesThatNobodyLookedAt()
    {
        var now = MonotonicClock.NowNs();
        Send(2);
        See(0, now, now);
        _tally.TakeLongestAge(MonotonicClock.NowNs());

        // By the reader's stamps the second one came five seconds after the first was sent.
        See(1, now + 4_900_000_000, now + 5_000_000_000);

        _tally.TakeLongestAge(MonotonicClock.NowNs()).ShouldBe(5_000_000_000);
        _tally.TakeLongestAge(MonotonicClock.NowNs()).ShouldBe(0);
    }

    private void Send(int count)
    {
        for (var i = 0; i < count; i++)
            _tally.Send(MonotonicClock.NowNs(), MonotonicClock.NowNs());
    }

    private void See(long number) => See(number, MonotonicClock.NowNs(), MonotonicClock.NowNs());

    private void See(long number, long sentNs, long foundNs) =>
        _tally.See(_tally.Key, new FoundHeartbeat(number, sentNs, sentNs, 0, foundNs));

    private static HeartbeatTally NewTally(ProbeSchedule schedule) =>
        new(schedule, new KeyStream(null, "p", null!), 7, (_, _) => { }) { IsReadHere = true };
}
