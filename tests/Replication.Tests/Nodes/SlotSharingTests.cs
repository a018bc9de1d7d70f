using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Tests.Nodes;

public class SlotSharingTests
{
    [Theory]
    [InlineData("1", "1")]
    [InlineData("3", "3")]
    [InlineData("0-16383", "1")]
    [InlineData("0-8191,8192-16383", "2")]
    [InlineData("0-5460,5461-10922,10923-16383", "0-5460,5461-10922,10923-16383")]
    [InlineData("8192-16383,0-8191", "2")]
    [InlineData("0-99+200-16382,100-199+16383", "0-99+200-16382,100-199+16383")]
    [InlineData("0,1-16383", "0,1-16383")]
    public void ToString_OfWhatWasParsed_SaysTheSameAsShortAsCanBe(string text, string shortest)
    {
        var sharing = SlotSharing.Parse(text);

        sharing.ToString().ShouldBe(shortest);
        var again = SlotSharing.Parse(shortest);
        SharedSlots.Of(null, again).SelectMany(shard => shard.Ranges)
            .ShouldBe(SharedSlots.Of(null, sharing).SelectMany(shard => shard.Ranges));
    }

    [Theory]
    [InlineData("", "'' are no slots; how many shards, or the slots of each is needed: 0-8191,8192-16383")]
    [InlineData("0", "1 to 1000 shards")]
    [InlineData("1001", "1 to 1000 shards")]
    [InlineData("-3", "'-3' are no slots")]
    [InlineData("0-8191", "no shard has 8192-16383")]
    [InlineData("1-16383", "no shard has 0")]
    [InlineData("0-10,20-16383", "no shard has 11-19")]
    [InlineData("0-8192,8192-16383", "slot 8192 is there twice")]
    [InlineData("0-16384", "'0-16384' are no slots")]
    [InlineData("9-5,0-16383", "'9-5' are no slots")]
    [InlineData("0-1-2,3-16383", "'0-1-2' are no slots")]
    [InlineData("0-8191,", "'' are no slots")]
    [InlineData("0-8191;8192-16383", "'0-8191;8192-16383' are no slots")]
    public void Problem_OfWhatIsNoSharing_SaysWhatIsWrong(string text, string problem) =>
        SlotSharing.Problem(text)!.ShouldStartWith(problem);

    [Fact]
    public void SharedSlots_OfAServerAloneAndASharing_AreItsShards() =>
        SharedSlots.Of(null, SlotSharing.Parse("0-99+200-16382,100-199+16383")).Select(slots => slots.Name)
            .ShouldBe(["slots 0-99 200-16382", "slots 100-199 16383"]);
}
