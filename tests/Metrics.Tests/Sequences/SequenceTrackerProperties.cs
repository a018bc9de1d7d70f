using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Metrics.Tests.Sequences;

public class SequenceTrackerProperties
{
    // Pages of 64 numbers, so that a few hundred arrivals fill, leave and come back to several of them.
    private const int PageBits = 6;

    [Fact]
    public void Count_OfAnyInterleaving_EqualsTheNaiveModel() =>
        Check(Gen.Choose(0, 300).Two().Select(pair => (pair.Item1, Late: pair.Item2 % 5 == 0)).ListOf(), sent: 280);

    [Fact]
    public void Count_OfANearlyCompleteRunShuffledWithDuplicates_EqualsTheNaiveModel() =>
        Check(
            from shuffled in Gen.Shuffle(Enumerable.Range(0, 400))
            from missing in Gen.Choose(0, 3)
            from again in Gen.Choose(0, 399).ListOf()
            from lateFrom in Gen.Choose(0, 500)
            select (IList<(int, bool)>)[.. shuffled.Skip(missing).Concat(again)
                .Select((sequence, place) => (sequence, place >= lateFrom))],
            sent: 400);

    [Fact]
    public void Count_OfSeveralPathsWithTheirOwnDelays_EqualsTheNaiveModel() =>
        Check(
            from delays in Gen.Choose(0, 90).ArrayOf(4)
            from copies in Gen.Choose(1, 2)
            select (IList<(int, bool)>)[.. Enumerable.Range(0, 350 * copies)
                .Select(number => (Sequence: number / copies, Delay: delays[number % 4]))
                .OrderBy(message => message.Sequence + message.Delay)
                .Select(message => (message.Sequence, message.Delay > 70))],
            sent: 350);

    private static void Check<TList>(Gen<TList> arrivals, long sent)
        where TList : IEnumerable<(int Sequence, bool Late)> =>
        Prop.ForAll(arrivals.ToArbitrary(), list =>
        {
            var tracker = new SequenceTracker(0, SequenceTracker.DefaultMaximumGap, PageBits);
            var model = new NaiveSequenceTracker();
            foreach (var (sequence, late) in list)
            {
                tracker.Observe(sequence, late);
                model.Observe(sequence, late);
            }

            var counts = tracker.Count(sent);
            counts.ShouldBe(model.Count(sent));
            counts.Sent.ShouldBe(counts.ReceivedInTime + counts.Late + counts.Lost);
        }).Check(Config.QuickThrowOnFailure.WithQuietOnSuccess(true));
}
