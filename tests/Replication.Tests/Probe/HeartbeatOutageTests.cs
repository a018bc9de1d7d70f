using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Heartbeats through an outage: what was overwritten before it was seen has waited too.</summary>
public sealed class HeartbeatOutageTests : IDisposable
{
    private const long Interval = 50_000_000;
    private const long Millisecond = 1_000_000;

    private readonly long _start = MonotonicClock.NowNs();
    private readonly HeartbeatTally _tally;
    private readonly List<(long Least, long Most)> _reported = [];

    public HeartbeatOutageTests()
    {
        var schedule = new ProbeSchedule(Interval, long.MaxValue);
        schedule.Begin(_start);
        _tally = new HeartbeatTally(
            schedule, new KeyStream(null, "p", null!), 7, (least, most) => _reported.Add((least, most)))
        {
            IsReadHere = true,
        };
    }

    public void Dispose() => _tally.Dispose();

    [Fact]
    public void See_AfterAnOutageOfEightSeconds_GivesEachThatWasSkippedTheTimeThatItWaited()
    {
        Send(162);
        See(0, foundNs: DueOf(0) + Millisecond);

        // The link stood still from then: the last poll that found the old one was a moment before the newest was
        // found.
        See(161, foundNs: DueOf(161) + Millisecond);

        Take();
        (_tally.Tally.Read, _tally.Tally.FromSent.Upper.TotalCount, _reported.Count).ShouldBe((2, 162, 162));
        _tally.Tally.FromSent.Upper.Max.ShouldBeInRange(8_000 * Millisecond, 8_020 * Millisecond);
        _tally.Tally.FromSent.Lower.Max.ShouldBeInRange(7_980 * Millisecond, 8_010 * Millisecond);
        _tally.Tally.FromIntended.Lower.Max.ShouldBeInRange(7_980 * Millisecond, 8_010 * Millisecond);
        _tally.Tally.FromSent.Middle.ValueAtPercentile(50).ShouldBeInRange(3_900 * Millisecond, 4_100 * Millisecond);
    }

    [Fact]
    public void See_AfterRefusals_LeavesThoseWithoutADelay()
    {
        Send(10);
        foreach (var refused in (long[])[3, 4, 5])
            _tally.Refuse(refused);

        See(9, foundNs: DueOf(9) + Millisecond);
        Take();
        _tally.Tally.CountMissing(_tally.Counts.Asked);

        _tally.Tally.FromSent.Upper.TotalCount.ShouldBe(7);
        _tally.Tally.FromSent.Upper.Missing.ShouldBe(3);
        _tally.Counts.WithoutDelay.ShouldBe(3);
    }

    [Fact]
    public void See_AfterThisProcessWasHeldUp_GivesThoseThatDidNotLeaveTheTimeFromWhenTheyWereDue()
    {
        _tally.Send(DueOf(0), DueOf(0));
        See(0, foundNs: DueOf(0) + Millisecond);
        // Four were due when it went on, of which the last left.
        _tally.Send(DueOf(4), DueOf(4) + Millisecond, heldUp: 3);
        See(1, foundNs: DueOf(4) + (2 * Millisecond), due: 4);
        Take();

        var counts = _tally.Counts;
        (counts.Asked, counts.Unsent, counts.HeldUp, counts.WithoutDelay).ShouldBe((5, 3, 3, 0));
        _tally.Tally.FromIntended.Upper.TotalCount.ShouldBe(5);
        _tally.Tally.FromIntended.Upper.Max.ShouldBeInRange(152 * Millisecond, 153 * Millisecond);
    }

    [Fact]
    public void See_AfterAnOutageThatIsLongerThanStampsAreKept_BoundsTheOldest()
    {
        const int Beats = 10_000;
        Send(Beats);
        See(0, foundNs: DueOf(0) + Millisecond);

        See(Beats - 1, foundNs: DueOf(Beats - 1) + Millisecond);

        Take();
        _tally.Tally.FromSent.Upper.TotalCount.ShouldBe(Beats);
        var oldest = (Beats - 1) * Interval;
        _tally.Tally.FromSent.Upper.Max.ShouldBeGreaterThanOrEqualTo(oldest);
        _tally.Tally.FromSent.Lower.Max.ShouldBeLessThanOrEqualTo(oldest + (oldest / 100));
    }

    private long DueOf(long beat) => _start + (beat * Interval);

    private void Send(int count)
    {
        for (var beat = 0; beat < count; beat++)
            _tally.Send(DueOf(beat), DueOf(beat));
    }

    private void See(long number, long foundNs, long? due = null)
    {
        var sent = DueOf(due ?? number);
        _tally.See(_tally.Key, new FoundHeartbeat(number, sent, sent, foundNs - (2 * Millisecond), foundNs));
    }

    private void Take()
    {
        _tally.Tally.Parts.Take();
    }
}
