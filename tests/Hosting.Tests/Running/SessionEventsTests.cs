using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Tests.Running;

public class SessionEventsTests
{
    private const int MostOfEither = 100;

    [Fact]
    public void Note_OfAKindThatGoesOn_KeepsItsFirstAndItsLastAndCountsTheOthers()
    {
        var events = new SessionEvents();
        events.Note("rare", "once");

        for (var i = 0; i < 10_000; i++)
            events.Note("frequent", $"{i}");

        events.Forgotten.ShouldBe(10_000 - (2 * MostOfEither));
        events.CountOf("frequent").ShouldBe(10_000);
        var record = events.ToRecord();
        record.Count(happened => happened.Kind == "rare").ShouldBe(1);
        var texts = record.Where(happened => happened.Kind == "frequent").Select(happened => happened.Text).ToList();
        texts.Count.ShouldBe((2 * MostOfEither) + 1);
        texts[..MostOfEither].ShouldBe(Enumerable.Range(0, MostOfEither).Select(i => $"{i}"));
        texts[MostOfEither].ShouldStartWith("9,800 more until here");
        texts[^MostOfEither..].ShouldBe(Enumerable.Range(9_900, MostOfEither).Select(i => $"{i}"));
    }

    [Fact]
    public void TakeSince_GivesEachOnceInTheOrderInWhichTheyHappened()
    {
        var events = new SessionEvents();
        long taken = 0;
        events.Note("one", "0");
        events.TakeSince(ref taken).Select(happened => happened.Text).ShouldBe(["0"]);

        events.Note("one", "1");
        events.Note("another", "2");
        events.Note("one", "3");

        events.TakeSince(ref taken).Select(happened => happened.Text).ShouldBe(["1", "2", "3"]);
        events.TakeSince(ref taken).ShouldBeEmpty();
    }

    [Fact]
    public void FirstAndLast_OfSeveralKinds_BoundsEach()
    {
        var happened = Enumerable.Range(0, 2_000).Select(
            i => new RunEvent(DateTimeOffset.UnixEpoch, i, i % 2 == 0 ? "disconnected" : "reconnected", $"{i}"));

        var kept = SessionEvents.FirstAndLast(happened).ToList();

        kept.Count.ShouldBe(2 * ((2 * MostOfEither) + 1));
        kept.Select(one => one.AtNs).ShouldBeInOrder();
        (kept[0].Text, kept[^1].Text).ShouldBe(("0", "1999"));
    }
}
