using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Rendezvous;

public class AnnouncementTests
{
    private static readonly SharedSlots Shared = new([new SlotRange(0, 99), new SlotRange(7_000, 7_000)]);

    [Fact]
    public void Read_OfWhatWasWritten_GivesIt()
    {
        var announced = Announced();

        var read = Announcement.Read(announced.Write())!;
        read.Nodes.ShouldBe(announced.Nodes);
        read.Shards[0].Shared!.Ranges.ShouldBe(Shared.Ranges);
        read.Shards.Select(shard => shard with { Shared = null })
            .ShouldBe(announced.Shards.Select(shard => shard with { Shared = null }));
        read.End!.Writers.ShouldBe(announced.End!.Writers);
        read.End.NeverSent.ShouldBe(announced.End.NeverSent);
        (read with { Nodes = announced.Nodes, Shards = announced.Shards, End = announced.End }).ShouldBe(announced);
        announced.ToString().ShouldNotContain("c2VjcmV0");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("1700000000000")]
    [InlineData("{}")]
    [InlineData("""{"version":1,"session":"1","keys":1,"intervalNs":1,"startNs":0,"source":"a"}""")]
    [InlineData("""{"version":8}""")]
    [InlineData("""{"version":8,"session":"x"}""")]
    [InlineData("""{"version":8,"session":"1","keys":"many"}""")]
    [InlineData("""{"version":"five"}""")]
    [InlineData("""{"version":8,"session":1,"isContinuous":"perhaps","keys":1}""")]
    public void Read_OfAnythingElse_IsNull(string? text) => Announcement.Read(text).ShouldBeNull();

    [Theory]
    [InlineData("\"host\":\"host\"", "\"host\":null")]
    [InlineData("\"shards\":[", "\"shards\":[null,")]
    [InlineData("\"last\":99", "\"last\":16384")]
    [InlineData("\"last\":99", "\"last\":-1")]
    [InlineData("\"version\":8", "\"version\":7")]
    [InlineData("\"probeKey\":", "\"other\":")]
    [InlineData("\"prefix\":", "\"other\":")]
    [InlineData("\"asked\":500", "\"asked\":-1")]
    [InlineData("\"asked\":500,", "")]
    [InlineData("\"neverSent\":", "\"other\":")]
    [InlineData("{\"asked\":7,\"unsent\":0,\"refused\":0},", "")]
    public void Read_OfOneThatIsWrongInOnePlace_IsNull(string right, string wrong)
    {
        var text = Announced().Write();
        text.ShouldContain(right);

        Announcement.Read(text).ShouldNotBeNull();
        Announcement.Read(text.Replace(right, wrong, StringComparison.Ordinal)).ShouldBeNull();
    }

    [Theory]
    [InlineData(0, 1, 2)]
    [InlineData(100_000_001, 1, 2)]
    [InlineData(1, 0, 2)]
    [InlineData(1, -5, 2)]
    [InlineData(1, 1, 3)]
    [InlineData(1, 1, 0)]
    [InlineData(1, 1, 1_000_000)]
    public void Read_OfAScheduleThatNobodyCanKeep_IsNull(long keys, double interval, int writers) =>
        Announcement.Read(new Announcement
        {
            Session = 1,
            Keys = keys,
            IntervalNs = interval,
            ExpiryNs = 60_000_000_000,
            Source = "here",
            Shards = [new AnnouncedShard("p", null, "here"), new AnnouncedShard("p", null, "there")],
            Writers = writers,
            Clock = new ClockIdentity(null, null, "host"),
            ProbeKey = string.Empty,
        }.Write()).ShouldBeNull();

    [Fact]
    public void End_OfConnectionsThatStoppedOneAfterTheOther_KnowsWhichKeysAreThere()
    {
        var end = new WritingEnd([new(4, 1, 1), new(1, 0, 0)], [new(0, 1, 2)]);

        Enumerable.Range(0, 10).Where(key => !end.IsWithdrawn(key)).ShouldBe([0, 1, 6]);
    }

    private static Announcement Announced() => new()
    {
        Session = 0xfedc_ba98_7654_3210,
        Keys = 1_000,
        IntervalNs = 1e9 / 3,
        StartNs = 123_456_789_012_345,
        EndNs = 223_456_789_012_345,
        End = new WritingEnd(
            [new(7, 0, 0), new(500, 3, 2), new(499, 0, 1), new(500, 0, 0)], [new(0, 17, 5), new(1, 3, 1)]),
        ExpiryNs = 60_000_000_000,
        Source = "10.0.0.5:6379",
        Nodes = ["07c37df", "67ed2db"],
        Shards = [new AnnouncedShard("p:{a}", Shared, "10.0.0.5:6379"), new AnnouncedShard("p", null, "here")],
        Writers = 4,
        Region = "eu-west",
        Clock = new ClockIdentity("boot", "time:[1]", "host"),
        ProbeKey = "c2VjcmV0",
        Udp = "udp://10.0.0.5:7100",
    };
}
