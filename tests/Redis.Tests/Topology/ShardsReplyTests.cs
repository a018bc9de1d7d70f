using System.Text;
using RedisLatency.Redis.Tests.Resp;
using static RedisLatency.Redis.Tests.Topology.Replies;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class ShardsReplyTests
{
    private static readonly string Usual = Array(
        Shard([10923, 16383], Primary("h3", 7003)),
        Shard([0, 5460, 6000, 6000], Replica("h4", 7004), Primary("h1", 7001)),
        Shard([], Primary("empty", 7009)));

    [Fact]
    public void Map_HasEachSlotsServers()
    {
        var map = Shards(Value(Usual));

        map.ToString().ShouldBe("0-5460 6000: h1:7001, h4:7004\n10923-16383: h3:7003");
        map.Missing.ShouldBe([new(5461, 5999), new(6001, 10922)]);
    }

    [Fact]
    public void Reply_InPiecesOfAnySize_IsTheSame()
    {
        var whole = Shards(Value(Usual)).ToString();

        foreach (var pieces in RespFeeding.Cuts(Encoding.UTF8.GetByteCount(Usual)))
            Shards(Value(Usual, pieces)).ToString().ShouldBe(whole);
    }

    [Fact]
    public void Maps_OfResp3_AreReadToo()
    {
        var shard = $"%2\r\n{Bulk("slots")}{Array(Number(0), Number(16383))}{Bulk("nodes")}"
            + Array($"%3\r\n{Bulk("port")}{Number(7001)}{Bulk("endpoint")}{Bulk("h1")}{Bulk("role")}{Bulk("master")}");

        Shards(Value(Array(shard))).ToString().ShouldBe("0-16383: h1:7001");
    }

    [Theory]
    [InlineData("redis://asked:7000", "h1:7001")]
    [InlineData("rediss://asked:7000", "h1:8001")]
    public void Port_IsThatOfTheConnectionsKind(string asked, string address) =>
        Shards(
            Value(Array(Shard(
                [0, 1], Member("role", "master", "port", "7001", "tls-port", "8001", "endpoint", "h1")))),
            asked).PrimaryOf(0)!.Endpoint.Address.ShouldBe(address);

    [Theory]
    [InlineData("", "asked:7001")]
    [InlineData("?", "10.0.0.1:7001")]
    [InlineData("name.example", "name.example:7001")]
    [InlineData("::1", "[::1]:7001")]
    public void PreferredEndpoint_IsTaken(string endpoint, string address) =>
        Shards(Value(Array(Shard(
            [0, 1], Member("role", "master", "port", "7001", "ip", "10.0.0.1", "endpoint", endpoint)))))
            .PrimaryOf(0)!.Endpoint.Address.ShouldBe(address);

    [Fact]
    public void DeadPrimary_BesideTheNewOne_IsNotTaken() =>
        Shards(Value(Array(Shard([0, 1], Primary("old", 1, "fail"), Primary("new", 2), Replica("r", 3)))))
            .ToString().ShouldBe("0-1: new:2, r:3");

    [Fact]
    public void DeadPrimary_WithoutANewOne_StillOwnsItsSlots() =>
        Shards(Value(Array(Shard([0, 1], Primary("old", 1, "fail"), Replica("r", 3)))))
            .ToString().ShouldBe("0-1: old:1, r:3");

    [Theory]
    [InlineData("fail")]
    [InlineData("loading")]
    public void Replica_ThatIsNotOnline_IsLeftOut(string health) =>
        Shards(Value(Array(Shard([0, 1], Primary("p", 1), Replica("r", 3, health))))).ToString().ShouldBe("0-1: p:1");

    public static TheoryData<string, string> Wrong => new()
    {
        { Number(1), "the shards are 1" },
        { Array(Number(1)), "'slots' is missing" },
        { Array(Array(Bulk("slots"), Array(Number(0), Number(1)))), "'nodes' is missing" },
        { Array(Shard([1])), "has no end" },
        { Array(Shard([0, 16384], Primary("h", 1))), "no range" },
        { Array(Shard([0, 1])), "0 primaries" },
        { Array(Shard([0, 1], Primary("a", 1), Primary("b", 1))), "2 primaries" },
        { Array(Shard([0, 1], Replica("a", 1))), "0 primaries" },
        { Array(Shard([0, 1], Member("port", "1"))), "'role' is missing" },
        { Array(Shard([0, 1], Member("role", "master", "tls-port", "1", "endpoint", "h"))), "no port" },
        { Array(Shard([0, 1], Primary("a", 1)), Shard([1, 2], Primary("b", 1))), "slot 1 is claimed by a:1 and by" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Reply_ThatIsWrong_IsRefusedAndExplained(string reply, string expected) =>
        Should.Throw<RedisProtocolException>(() => Shards(Value(reply))).Message.ShouldContain(expected);

    private static string Primary(string host, int port, string health = "online") =>
        Member("id", "x", "port", $"{port}", "ip", host, "endpoint", host, "role", "master", "health", health);

    private static string Replica(string host, int port, string health = "online") =>
        Member("id", "x", "port", $"{port}", "ip", host, "endpoint", host, "role", "replica", "health", health);
}
