using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Rendezvous;

public class AnnouncedHeartbeatsTests
{
    // So long that none is due while a test goes on.
    private const long Interval = 3_600_000_000_000;
    private const long Ahead = 5_000_000_000;
    private const long Error = 700;

    private readonly List<(long Least, long Most)> _found = [];
    private readonly AnnouncedHeartbeats _beats;
    private readonly long _now = MonotonicClock.NowNs();
    private long _unheardNs;

    public AnnouncedHeartbeatsTests()
    {
        _beats = new AnnouncedHeartbeats((least, most) => _found.Add((least, most)))
        {
            UnheardNs = () => _unheardNs,
        };
        _beats.Follow(Announced(1), 0, new AheadTime(), new AheadTime());
    }

    [Fact]
    public void See_OfTheFirst_OnlyShowsWhereTheWriterIs()
    {
        See(number: 41, due: 41);

        var counts = _beats.Counts;
        (counts.Asked, counts.Read).ShouldBe((0, 0));
        counts.AgeNs.ShouldBeGreaterThan(0);
        _beats.Settle(long.MaxValue).ShouldBe(0);
        _beats.Tally.Read.ShouldBe(0);
    }

    [Fact]
    public void See_OfALaterOne_ReportsWhatBecameOfThoseBetween()
    {
        See(number: 7, due: 10);

        // Five were due, of which two were not sent, and two were not seen.
        See(number: 10, due: 15);

        var counts = _beats.Counts;
        (counts.Asked, counts.Unsent, counts.Skipped, counts.Read, counts.Waiting).ShouldBe((5, 2, 2, 1, 0));
    }

    [Fact]
    public void See_OfOneThatWasSeenOrIsOfAnotherKey_ChangesNothing()
    {
        See(number: 7, due: 10);
        See(number: 8, due: 11);
        var before = _beats.Counts;

        _beats.IsNew(_beats.Key, 8).ShouldBeFalse();
        _beats.IsNew(new HeartbeatKey("other", 1), 9).ShouldBeFalse();
        _beats.See(new HeartbeatKey("other", 1), new FoundHeartbeat(9, _now, _now, 0, _now));

        (_beats.Counts with { AgeNs = 0, SilenceNs = 0, NewestSentNs = 0 })
            .ShouldBe(before with { AgeNs = 0, SilenceNs = 0, NewestSentNs = 0 });
    }

    [Theory]
    [InlineData(1_000, true)]
    [InlineData(100_000, false)]
    [InlineData(1L << 48, false)]
    public void Number_FurtherOnThanAnyWriterCanBe_IsNobodysHeartbeat(long ahead, bool isNew)
    {
        See(number: 7, due: 10);

        _beats.IsNew(_beats.Key, 7 + ahead).ShouldBe(isNew);
    }

    [Fact]
    public void Settle_OfWhatWasFound_CorrectsItByTheWritersClock()
    {
        See(number: 1, due: 0);
        _beats.See(_beats.Key, new FoundHeartbeat(2, _now + Ahead, _now + Ahead + 30, _now + 100, _now + 300));
        _beats.Tally.Read.ShouldBe(0);

        _beats.Settle(_now + 299).ShouldBe(0);
        _beats.Tally.Read.ShouldBe(0);
        _beats.Settle(_now + 300).ShouldBe(Error);
        _beats.Settle(long.MaxValue).ShouldBe(0);

        _beats.Tally.Read.ShouldBe(1);
        _beats.Tally.FromSent.Parts.Take();
        (_beats.Tally.FromSent.Lower.Max, _beats.Tally.FromSent.Upper.Max).ShouldBe((70, 270));
        _found.ShouldBe([(70, 270)]);
        _beats.NegativesBeyondError.ShouldBe(0);
    }

    [Fact]
    public void Settle_OfADelayThatCannotBe_CountsIt()
    {
        See(number: 1, due: 0);

        _beats.See(_beats.Key, new FoundHeartbeat(2, _now + Ahead, _now + Ahead + 2_000, _now, _now + 1_000));
        _beats.Settle(long.MaxValue);

        _beats.NegativesBeyondError.ShouldBe(1);
    }

    [Fact]
    public void Count_WhenSomeAreDue_CountsThemAsWaitingUntilTheWriterSaysThatItHasEnded()
    {
        See(number: 1, due: -3);

        _beats.Counts.Waiting.ShouldBe(3);
        _beats.Counts.Asked.ShouldBe(3);
        _beats.AreAwaited(out var overdue).ShouldBeTrue();
        overdue.ShouldBeGreaterThan(2 * Interval - 1);
        _beats.EndAt(_now + Ahead - Interval);

        _beats.Counts.Waiting.ShouldBe(1);
    }

    /// <summary>
    /// Nothing is known of what is due by the schedule of a writer that answers no more: it is not on its way, so no
    /// delay is made of it, and once the writer is gone it was not sent.
    /// </summary>
    [Theory]
    [InlineData(0.9, false, 3, 3, 0)]
    [InlineData(1.1, false, 0, 0, 0)]
    [InlineData(5.1, false, 0, 0, 3)]
    [InlineData(1.1, true, 0, 0, 3)]
    public void Count_WhenTheWriterIsNotHeardOf_CountsNothingAsSentThatWasNotSeen(
        double seconds, bool isOver, long waiting, long sent, long unsent)
    {
        See(number: 1, due: -3);
        if (isOver)
            _beats.Close();

        _unheardNs = (long)(seconds * 1e9);

        var counts = _beats.Counts;
        (counts.Waiting, counts.Sent, counts.Unsent).ShouldBe((waiting, sent, unsent));
        _beats.IsWriterGone.ShouldBe(unsent > 0);
    }

    [Fact]
    public void Count_WhenAWriterThatWasNotHeardOfHadSentAllTheSame_CountsThatAsSentAgain()
    {
        See(number: 1, due: -3);
        _unheardNs = 10_000_000_000;
        var gone = _beats.Counts;

        _unheardNs = 0;
        See(number: 4, due: 0);

        var counts = _beats.Counts;
        (counts.Sent, counts.Read, counts.Skipped, counts.Unsent).ShouldBe((3, 1, 2, 0));
        counts.Since(gone).WithoutDelay.ShouldBe(0);
    }

    [Fact]
    public void Count_WhenTheWriterHasSaidThatItHasEnded_KnowsWhatItSentWhoeverAnswers()
    {
        See(number: 1, due: -3);

        _beats.EndAt(_now + Ahead - Interval);
        _unheardNs = 10_000_000_000;

        (_beats.Counts.Sent, _beats.Counts.Unsent, _beats.IsWriterGone).ShouldBe((1, 0, false));
    }

    [Fact]
    public void Follow_OfAnotherWriter_CountsWhatTheOneBeforeDidNotWriteAsUnsent()
    {
        See(number: 1, due: -3);

        _beats.Follow(Announced(2), 0, new AheadTime(), new AheadTime());

        _beats.Key.Session.ShouldBe(2UL);
        var counts = _beats.Counts;
        (counts.Asked, counts.Unsent, counts.Waiting).ShouldBe((3, 3, 0));
        counts.AgeNs.ShouldBeGreaterThan(Interval);
        See(number: 0, due: 0);
        See(number: 1, due: 1);
        _beats.Counts.Read.ShouldBe(1);
    }

    [Fact]
    public void Close_WhileNoneIsOnItsWay_AwaitsNoMore()
    {
        See(number: 1, due: 0);

        _beats.Close();

        _beats.AreAwaited(out _).ShouldBeFalse();
        See(number: 2, due: 1);
        _beats.Counts.Read.ShouldBe(0, "it is due after the end");
    }

    // Sent when it was due, that many intervals from now, and found a moment later.
    private void See(long number, long due) => _beats.See(
        _beats.Key, new FoundHeartbeat(number, _now + Ahead + (due * Interval), _now + Ahead + (due * Interval), 0, _now));

    private static WriterAnnouncement Announced(ulong session) => new()
    {
        IsContinuous = true,
        Session = session,
        Keys = 0,
        IntervalNs = Interval,
        ExpiryNs = 60_000_000_000,
        Source = "there",
        Shards = [new AnnouncedShard("p", null, "there")],
        Writers = 1,
        Writer = Announcement.OfThis("default", "writer", "there", region: null),
    };

    private sealed class AheadTime : IPeerTime
    {
        public bool TryConvert(long ownNs, out long writerNs, out long errorNs)
        {
            (writerNs, errorNs) = (ownNs + Ahead, Error);
            return true;
        }
    }
}
