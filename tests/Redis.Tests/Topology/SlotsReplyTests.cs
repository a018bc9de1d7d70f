using System.Text;
using RedisLatency.Redis.Tests.Resp;
using RedisLatency.Redis.Topology;
using static RedisLatency.Redis.Tests.Topology.Replies;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class SlotsReplyTests
{
    private static readonly string Usual = Array(
        Range(10923, 16383, Server("h3", 7003)),
        Range(0, 5460, Server("h1", 7001), Server("h4", 7004), Server("h5", 7005)),
        Range(5461, 10922, Server("h2", 7002)));

    [Fact]
    public void Map_HasEachSlotsServers()
    {
        var map = Slots(Value(Usual));

        map.ToString().ShouldBe("0-5460: h1:7001, h4:7004, h5:7005\n5461-10922: h2:7002\n10923-16383: h3:7003");
        map.IsComplete.ShouldBeTrue();
        map.PrimaryOf(0)!.Endpoint.Address.ShouldBe("h1:7001");
        map.PrimaryOf(5460).ShouldBeSameAs(map.PrimaryOf(0));
        map.PrimaryOf(5461)!.Endpoint.Address.ShouldBe("h2:7002");
        map.PrimaryOf(16383)!.Endpoint.Address.ShouldBe("h3:7003");
        map.PrimaryNumber(16383).ShouldBe(map.PrimaryOf(16383)!.Number);
        map.ShardOf(1)!.Replicas.Count.ShouldBe(2);
        map.ShardWith(map.Shards[0].Replicas[1]).ShouldBeSameAs(map.Shards[0]);
        map.Shards.Sum(shard => shard.SlotCount).ShouldBe(KeySlot.Count);
    }

    [Fact]
    public void Reply_InPiecesOfAnySize_IsTheSame()
    {
        var whole = Slots(Value(Usual)).ToString();

        foreach (var pieces in RespFeeding.Cuts(Encoding.UTF8.GetByteCount(Usual)))
            Slots(Value(Usual, pieces)).ToString().ShouldBe(whole);
    }

    [Fact]
    public void Ranges_OfOneServer_AreOneShard()
    {
        var map = Slots(Value(Array(
            Range(100, 200, Server("h1", 1), Server("h2", 2)),
            Range(7, 7, Server("h1", 1), Server("h2", 2)),
            Range(300, 16383, Server("h1", 1), Server("h2", 2)))));

        map.ToString().ShouldBe("7 100-200 300-16383: h1:1, h2:2");
        map.Missing.ShouldBe([new(0, 6), new(8, 99), new(201, 299)]);
        map.IsComplete.ShouldBeFalse();
        map.PrimaryOf(8).ShouldBeNull();
        map.PrimaryNumber(8).ShouldBe(-1);
        map.ShardOf(8).ShouldBeNull();
    }

    [Fact]
    public void Nothing_IsAMapOfMissingSlots()
    {
        var map = Slots(Value("*0\r\n"));

        map.Shards.ShouldBeEmpty();
        map.Missing.ShouldBe([new(0, 16383)]);
    }

    /// <summary>The server that was asked, asked over the endpoint given, names itself in this way.</summary>
    [Theory]
    [InlineData("", "redis://asked:7000", "asked:7001")]
    [InlineData("?", "redis://asked:7000", "asked:7001")]
    [InlineData("", "redis://[::1]:7001", "[::1]:7001")]
    [InlineData("2001:db8::7", "redis://asked:7000", "[2001:db8::7]:7001")]
    [InlineData("cache-1.example.com", "redis://asked:7000", "cache-1.example.com:7001")]
    [InlineData("", "unix:/run/redis.sock", "/run/redis.sock")]
    public void Host_ThatIsUnknown_IsTheOneAsked(string host, string asked, string address) =>
        Slots(Value(Array(Range(0, 16383, Server(host, 7001)))), asked)
            .PrimaryOf(0)!.Endpoint.Address.ShouldBe(address);

    [Fact]
    public void Host_ThatIsNull_IsTheOneAsked()
    {
        var server = Array("$-1\r\n", Number(7001), Bulk("id"), Array(Bulk("ip"), Bulk("10.0.0.1")));
        var inResp3 = Array("_\r\n", Number(7001), Bulk("id"), $"%1\r\n{Bulk("ip")}{Bulk("10.0.0.1")}");

        foreach (var one in (string[])[server, inResp3])
            Slots(Value(Array(Range(0, 16383, one)))).PrimaryOf(0)!.Endpoint.Address.ShouldBe("asked:7001");
    }

    [Fact]
    public void Host_ThatHasNoPreferredName_HasItsAddress() =>
        Slots(Value(Array(Range(0, 1, Server("?", 7001, "ip", "10.0.0.1")))))
            .PrimaryOf(0)!.Endpoint.Address.ShouldBe("10.0.0.1:7001");

    [Fact]
    public void Endpoints_KeepLoginTlsAndLimits()
    {
        var endpoint = Slots(Value(Usual), "rediss://alice:secret@asked:7000").PrimaryOf(0)!.Endpoint;

        endpoint.ToString().ShouldBe("rediss://***:***@h1:7001/0");
        endpoint.Password!.Reveal().ShouldBe("secret");
    }

    [Fact]
    public void Replica_WithoutPort_IsLeftOut() =>
        Slots(Value(Array(Range(0, 16383, Server("h1", 1), Server("h2", 0))))).ShardOf(0)!.Replicas.ShouldBeEmpty();

    public static TheoryData<string, string> Wrong => new()
    {
        { Number(1), "the slots are 1" },
        { "+OK\r\n", "the slots are OK" },
        { Array(Array()), "without a server" },
        { Array(Range(0, 1)), "without a server" },
        { Array(Number(7)), "without a server" },
        { Array(Range(0, 16384, Server("h", 1))), "no range" },
        { Array(Range(-1, 7, Server("h", 1))), "no range" },
        { Array(Range(8, 7, Server("h", 1))), "no range" },
        { Array(Array(Bulk("0"), Number(1), Server("h", 1))), "a number is 0" },
        { Array(Range(0, 1, Bulk("h"))), "without host and port" },
        { Array(Range(0, 1, Server("h", 65536))), "port is 65536" },
        { Array(Range(0, 1, Server("h", -1))), "port is -1" },
        { Array(Range(0, 1, Array(Bulk("h"), Bulk("1")))), "a number is 1" },
        { Array(Range(0, 1, Server("h", 0))), "no port" },
        { Array(Range(0, 9, Server("a", 1)), Range(9, 10, Server("b", 1))), "slot 9 is claimed by a:1 and by b:1" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Reply_ThatIsWrong_IsRefusedAndExplained(string reply, string expected) =>
        Should.Throw<RedisProtocolException>(() => Slots(Value(reply))).Message.ShouldContain(expected);

    [Fact]
    public void Servers_WithoutEnd_AreRefused()
    {
        var reply = Array([.. Enumerable.Range(0, 8192)
            .Select(i => Range(2 * i, (2 * i) + 1, Server($"h{i}", 1)))]);

        Should.Throw<RedisProtocolException>(() => Slots(Value(reply))).Message.ShouldContain("more than 4096 servers");
    }
}
