using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Tests.Running;

public class SessionEventsTests
{
    [Fact]
    public void Note_BeyondTheMost_KeepsTheNewestAndCountsTheOthers()
    {
        var events = new SessionEvents(3);
        long taken = 0;
        events.Note("kind", "0");
        events.TakeSince(ref taken).Select(happened => happened.Text).ShouldBe(["0"]);

        for (var i = 1; i <= 5; i++)
            events.Note("kind", $"{i}");

        events.TakeSince(ref taken).Select(happened => happened.Text).ShouldBe(["3", "4", "5"]);
        events.TakeSince(ref taken).ShouldBeEmpty();
        events.All.Count.ShouldBe(3);
        events.Forgotten.ShouldBe(3);
    }
}
