using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Rendezvous;

public class WriterAnnouncementTests
{
    private static readonly string Key = Convert.ToBase64String(new byte[32]);

    private static readonly Announcement Writer = new("default", "writer", "there", "eu-west", "0.0.9")
    {
        Clock = new ClockIdentity("boot", "time:[1]", "host"),
        Probe = new ProbeOffer(Key) { Udp = "udp://10.0.0.5:7100", Redis = true },
    };

    private static readonly SharedSlots Shared = new([new SlotRange(0, 99), new SlotRange(7_000, 7_000)]);

    [Fact]
    public void Read_OfWhatWasWritten_GivesIt()
    {
        var announced = Announced();

        var read = WriterAnnouncement.Read(announced.Write())!;
        read.Nodes.ShouldBe(announced.Nodes);
        read.Shards[0].Shared!.Ranges.ShouldBe(Shared.Ranges);
        read.Shards.Select(shard => shard with { Shared = null })
            .ShouldBe(announced.Shards.Select(shard => shard with { Shared = null }));
        read.End!.Writers.ShouldBe(announced.End!.Writers);
        read.End.NeverSent.ShouldBe(announced.End.NeverSent);
        (read with { Nodes = announced.Nodes, Shards = announced.Shards, End = announced.End }).ShouldBe(announced);
        announced.ToString().ShouldNotContain(Key);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("1700000000000")]
    [InlineData("{}")]
    [InlineData("""{"version":1,"session":"1","keys":1,"intervalNs":1,"startNs":0,"source":"a"}""")]
    [InlineData("""{"version":9}""")]
    [InlineData("""{"version":9,"session":"x"}""")]
    [InlineData("""{"version":9,"session":"1","keys":"many"}""")]
    [InlineData("""{"version":"five"}""")]
    [InlineData("""{"version":9,"session":1,"isContinuous":"perhaps","keys":1}""")]
    public void Read_OfAnythingElse_IsNull(string? text) => WriterAnnouncement.Read(text).ShouldBeNull();

    [Theory]
    [InlineData("\"host\":\"host\"", "\"host\":null")]
    [InlineData("AAAAAAAA", "A")]
    [InlineData("\"role\":\"writer\",", "")]
    [InlineData("\"source\":\"10.0.0.5:6379\"", "\"source\":\"\\u001b[2J\"")]
    [InlineData("\"shards\":[", "\"shards\":[null,")]
    [InlineData("\"last\":99", "\"last\":16384")]
    [InlineData("\"last\":99", "\"last\":-1")]
    [InlineData("\"version\":9,", "\"version\":8,")]
    [InlineData("\"key\":", "\"other\":")]
    [InlineData("\"prefix\":", "\"other\":")]
    [InlineData("\"asked\":500", "\"asked\":-1")]
    [InlineData("\"asked\":500,", "")]
    [InlineData("\"neverSent\":", "\"other\":")]
    [InlineData("{\"asked\":7,\"unsent\":0,\"refused\":0},", "")]
    public void Read_OfOneThatIsWrongInOnePlace_IsNull(string right, string wrong)
    {
        var text = Announced().Write();
        text.ShouldContain(right);

        WriterAnnouncement.Read(text).ShouldNotBeNull();
        WriterAnnouncement.Read(text.Replace(right, wrong, StringComparison.Ordinal)).ShouldBeNull();
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
        WriterAnnouncement.Read(new WriterAnnouncement
        {
            Session = 1,
            Keys = keys,
            IntervalNs = interval,
            ExpiryNs = 60_000_000_000,
            Source = "here",
            Shards = [new AnnouncedShard("p", null, "here"), new AnnouncedShard("p", null, "there")],
            Writers = writers,
            Writer = Writer,
        }.Write()).ShouldBeNull();

    [Theory]
    [InlineData("\"version\":9,", "\"version\":10,", "version 0.0.9")]
    [InlineData("\"version\":9,\"writer\":", "\"version\":8,\"another\":", "another version")]
    [InlineData("\"version\":9,", "\"version\":9,", null)]
    [InlineData("\"version\":9,", "\"version\":\"x\",", null)]
    public void Read_OfAnotherVersion_IsNullAndNamesIt(string right, string wrong, string? version)
    {
        var text = Announced().Write();
        text.ShouldContain(right);

        WriterAnnouncement.ReadOtherVersion(text.Replace(right, wrong, StringComparison.Ordinal)).ShouldBe(version);
    }

    [Fact]
    public void End_OfConnectionsThatStoppedOneAfterTheOther_KnowsWhichKeysAreThere()
    {
        var end = new WriterReport([new(4, 1, 1), new(1, 0, 0)], [new(0, 1, 2)]);

        Enumerable.Range(0, 10).Where(key => !end.IsWithdrawn(key)).ShouldBe([0, 1, 6]);
    }

    private static WriterAnnouncement Announced() => new()
    {
        Session = 0xfedc_ba98_7654_3210,
        Keys = 1_000,
        IntervalNs = 1e9 / 3,
        StartNs = 123_456_789_012_345,
        EndNs = 223_456_789_012_345,
        End = new WriterReport(
            [new(7, 0, 0), new(500, 3, 2), new(499, 0, 1), new(500, 0, 0)], [new(0, 17, 5), new(1, 3, 1)]),
        ExpiryNs = 60_000_000_000,
        Source = "10.0.0.5:6379",
        Nodes = ["07c37df", "67ed2db"],
        Shards = [new AnnouncedShard("p:{a}", Shared, "10.0.0.5:6379"), new AnnouncedShard("p", null, "here")],
        Writers = 4,
        Writer = Writer,
    };
}
