using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Servers;

public class SharedSlotsTests
{
    [Fact]
    public void Of_AServerAloneAndRanges_AreTheRanges() =>
        SharedSlots.Of(null, 3).Select(slots => slots.Name)
            .ShouldBe(["slots 0-5461", "slots 5462-10922", "slots 10923-16383"]);

    [Fact]
    public void Of_TheMostRanges_HasEverySlotOnce() =>
        SharedSlots.Of(null, SharedSlots.MostRanges).SelectMany(slots => slots.Ranges)
            .SelectMany(range => Enumerable.Range(range.First, range.Count)).ShouldBe(Enumerable.Range(0, 16_384));

    [Fact]
    public void Name_OfManyRanges_SaysTheFirstTwo() =>
        SharedSlots.Of(slot => slot % 2 == 0 && slot < 8).Select(slots => slots.Name)
            .ShouldBe(["slots 0 2 and 2 more ranges", "slots 1 3 and 2 more ranges"]);
}
