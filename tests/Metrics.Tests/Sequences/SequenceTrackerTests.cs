using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Metrics.Tests.Sequences;

public class SequenceTrackerTests
{
    [Fact]
    public void Observe_InOrder_FindsNothingToReport()
    {
        var tracker = new SequenceTracker();
        for (var sequence = 0; sequence < 10; sequence++)
            tracker.Observe(sequence, afterDeadline: false).ShouldBe(SequenceArrival.First);

        tracker.Count(10).ShouldBe(new SequenceCounts(10, 10, 0, 0, 0, 0, 0, 0));
    }

    [Fact]
    public void Observe_OfAMessageOvertaken_IsReorderedAndNotLost()
    {
        var tracker = new SequenceTracker();
        tracker.Observe(0, false);
        tracker.Observe(2, false);

        tracker.Observe(1, false).ShouldBe(SequenceArrival.First | SequenceArrival.Reordered);

        tracker.Count(3).ShouldBe(new SequenceCounts(3, 3, 0, 0, 0, 1, 0, 0));
    }

    [Fact]
    public void Observe_OfADuplicateBelowTheHighest_IsDuplicatedAndNotReordered()
    {
        var tracker = new SequenceTracker();
        tracker.Observe(0, false);
        tracker.Observe(1, false);

        tracker.Observe(0, false).ShouldBe(SequenceArrival.Duplicate);

        tracker.Count(2).ShouldBe(new SequenceCounts(2, 2, 0, 0, 1, 0, 0, 0));
    }

    [Fact]
    public void Observe_OfALateMessageAndItsDuplicates_CountsItLateOnceAndNeverLost()
    {
        var tracker = new SequenceTracker();
        tracker.Observe(1, false);

        tracker.Observe(0, true)
            .ShouldBe(SequenceArrival.First | SequenceArrival.Reordered | SequenceArrival.Late);
        tracker.Observe(0, true).ShouldBe(SequenceArrival.Duplicate);
        tracker.Observe(0, false).ShouldBe(SequenceArrival.Duplicate);

        tracker.Count(3).ShouldBe(new SequenceCounts(3, 1, 1, 1, 2, 1, 0, 0));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    [InlineData(SequenceTracker.DefaultMaximumGap + 1)]
    [InlineData(0x0123_4567_89AB_CDEF)]
    public void Observe_OfADamagedNumber_IsRefusedAndCostsNoMemory(long sequence)
    {
        var tracker = new SequenceTracker();
        tracker.Observe(0, false);
        var pages = tracker.PagesHeld;

        tracker.Observe(sequence, false).ShouldBe(SequenceArrival.Refused);

        tracker.PagesHeld.ShouldBe(pages);
        tracker.Count(1).ShouldBe(new SequenceCounts(1, 1, 0, 0, 0, 0, 1, 0));
    }

    [Fact]
    public void Observe_OfANumberNotYetSent_IsRefusedUntilItIsSent()
    {
        var tracker = new SequenceTracker();

        tracker.Observe(5, false, sentSoFar: 5).ShouldBe(SequenceArrival.Refused);
        tracker.Observe(5, false, sentSoFar: 6).ShouldBe(SequenceArrival.First);

        tracker.Count(6).ShouldBe(new SequenceCounts(6, 1, 0, 5, 0, 0, 1, 0));
    }

    [Fact]
    public void Count_WhereTheSenderStoppedBelowWhatCame_TellsThemApart()
    {
        var tracker = new SequenceTracker();
        tracker.Observe(0, false);
        tracker.Observe(2, true);
        tracker.Observe(3, true);

        tracker.Count(3).ShouldBe(new SequenceCounts(3, 1, 1, 1, 0, 0, 0, 1));
    }

    [Fact]
    public void Observe_ByOneWhoJoinedLater_CountsFromThere()
    {
        var tracker = new SequenceTracker(firstSequence: 5_000_000_000);
        tracker.Observe(5_000_000_001, false).ShouldBe(SequenceArrival.First);
        tracker.Observe(4_999_999_999, false).ShouldBe(SequenceArrival.Refused);

        tracker.Highest.ShouldBe(5_000_000_001);
        tracker.Count(2).ShouldBe(new SequenceCounts(2, 1, 0, 1, 0, 0, 1, 0));
    }

    [Fact]
    public void Observe_OfALongRunWithoutLoss_HoldsTwoPages()
    {
        var tracker = new SequenceTracker();
        for (long sequence = 0; sequence < 20 * 65_536; sequence += 2)
        {
            tracker.Observe(sequence + 1, false);
            tracker.Observe(sequence, false);
        }

        tracker.PagesHeld.ShouldBeLessThanOrEqualTo(2);
        tracker.Count(20 * 65_536).Lost.ShouldBe(0);
        tracker.Reordered.ShouldBe(10 * 65_536);
    }
}
