using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

public class VersionTests
{
    public static readonly string[][] Values =
    [
        ["SET", "string", "text"], ["SET", "number", "12345"], ["SETBIT", "bits", "70001", "1"],
        ["PFADD", "log", "a", "b", "c"], ["SET", "ends", "1", "PXAT", "4000000000000"],
        ["RPUSH", "list", "a", "1", ""], ["SADD", "ints", "1", "2", "300000"], ["SADD", "set", "a", "b", ""],
        ["ZADD", "zset", "1.5", "a", "-inf", "b", "inf", "c", "0.1", "d", "-0", "e"],
        ["HSET", "hash", "a", "1", "b", ""],
        ["EVAL", "for i = 1, 3000 do redis.call('RPUSH', KEYS[1], 'item ' .. i) end", "1", "long list"],
        ["EVAL", "for i = 1, 3000 do redis.call('SADD', KEYS[1], 'member ' .. i) end", "1", "long set"],
        ["EVAL", "for i = 1, 3000 do redis.call('ZADD', KEYS[1], i / 7, 'member ' .. i) end", "1", "long zset"],
        ["EVAL", "for i = 1, 3000 do redis.call('HSET', KEYS[1], 'field ' .. i, i) end", "1", "long hash"],
        ["EVAL", "for i = 1, 3000 do redis.call('XADD', KEYS[1], i .. '-' .. i, 'f', i, 'g', 'v') end", "1", "stream"],
        ["XDEL", "stream", "7-7", "3000-3000"], ["XGROUP", "CREATE", "stream", "one", "0"],
        ["XGROUP", "CREATE", "stream", "two", "100-100"], ["XADD", "empty stream", "1-1", "f", "v"],
        ["XREADGROUP", "GROUP", "one", "reader", "COUNT", "1500", "STREAMS", "stream", ">"],
        ["XREADGROUP", "GROUP", "two", "other", "COUNT", "5", "STREAMS", "stream", ">"],
        ["XACK", "stream", "one", "1-1", "9-9"], ["XDEL", "empty stream", "1-1"],
    ];

    public static readonly string[] Commands =
    [
        "SET s1 v ex 1000", "SET s2 v pxat 4000000000000", "SETEX s3 1000 v", "SET s4 v keepttl", "GETEX s1 ex 2000",
        "GETEX s2 persist", "GETDEL s3", "SET s5 v nx get", "SET n1 10", "INCRBYFLOAT n1 1.5", "APPEND s4 more",
        "SETRANGE s4 2 xx", "MSET m1 a m2 b", "MSETNX m3 a m4 b", "SETBIT b1 100 1", "BITFIELD b1 set u8 0 255",
        "BITOP and b2 b1 b1", "PFADD h1 a b c", "PFMERGE h2 h1", "RPUSH l1 a b c d e f g h", "LPOP l1 2", "RPOP l1 1",
        "LMPOP 1 l1 left count 2", "LINSERT l1 before g x", "LREM l1 1 g", "LTRIM l1 0 5", "SADD t1 a b c d",
        "SPOP t1 2", "SMOVE t1 t2 a", "SINTERSTORE t3 t1 t2", "ZADD z1 1 a 2 b 3 c 4 d 5 e", "ZADD z1 gt ch 5 a",
        "ZADD z1 lt 0 b", "ZMPOP 1 z1 min count 2", "ZPOPMAX z1", "ZUNIONSTORE z3 2 z1 z2", "GEOADD g1 1 1 x 2 2 y",
        "HSET f1 a 1 b 2 c 3", "HINCRBYFLOAT f1 a 1.5", "HGETDEL f1 fields 1 a", "HSETEX f1 keepttl fields 1 d 5",
        "HGETEX f1 persist fields 1 d", "XADD x1 1-1 f v", "XADD x1 maxlen 10 nomkstream 2-1 f v",
        "XGROUP create x1 gr 0", "XGROUP create x1 gr2 0 entriesread 1", "XGROUP createconsumer x1 gr idle",
        "XACK x1 gr 1-1", "XAUTOCLAIM x1 gr c2 0 0", "XCLAIM x1 gr c3 0 2-1",
        "XSETID x1 9-9 entriesadded 20 maxdeletedid 1-0", "XACKDEL x1 gr ids 1 2-1", "XDELEX x1 keepref ids 1 3-1",
        "RENAME s6 s7", "EXPIRE s4 1000 nx", "EXPIRE s4 5000 gt", "PEXPIREAT s5 4000000000000 lt", "PERSIST s4",
        "SET e1 a", "SET e1 b ifeq a", "DELEX e1 ifeq b", "DELIFEQ e1 b", "MSETEX 2 q1 a q2 b ex 1000",
        "SORT l1 alpha store l3", "UNLINK m2", "INCR n2", "DECR n2", "INCRBY n2 5", "DECRBY n2 2", "SETNX n3 1",
        "GETSET n3 2", "PSETEX n4 10000000 v", "HSETNX f1 z 1", "HINCRBY f1 y 2", "HDEL f1 z", "HMSET f2 a 1 b 2",
        "LPUSH l1 z", "LPUSHX l1 y", "RPUSHX l1 x", "LSET l1 0 q", "RPOPLPUSH l1 l4", "SREM t1 b",
        "SUNIONSTORE t4 t1 t2", "SDIFFSTORE t5 t4 t2", "ZINCRBY z1 2 a", "ZREM z1 e", "ZREMRANGEBYSCORE z3 0 1",
        "XTRIM x1 maxlen 5", "XDEL x1 1-1", "SETNX n6 1", "RENAMENX s5 s8", "SET last 1",
    ];

    // One of each kind, and where: each must be found between servers whose values have other forms, too.
    private static readonly (string Found, string[] Command)[] Changes =
    [
        ("value long list item 2998", ["LSET", "long list", "2998", "x"]),
        ("value long set member member 77", ["SREM", "long set", "member 77"]),
        ("value long zset member member 77", ["ZINCRBY", "long zset", "0.00001", "member 77"]),
        ("value long hash field field 77", ["HSET", "long hash", "field 77", "x"]),
        ("value hash field b", ["HSET", "hash", "b", "x"]),
        ("value set member ", ["SREM", "set", ""]),
        ("value bits byte 3", ["SETBIT", "bits", "25", "1"]),
        ("value stream pending entry of group one 88-88", ["XACK", "stream", "one", "88-88"]),
    ];

    [Theory]
    [InlineData("redis-server", "redis-server")]
    [InlineData("redis-server", "valkey-server")]
    [InlineData("valkey-server", "redis-server")]
    public async Task ValuesOfEveryType_AreEqualBetweenVersions(string from, string to)
    {
        ServerRequirement.RequireServer(from);
        ServerRequirement.RequireServer(to);
        await using var source = await RedisServerProcess.Start(from);
        await using var target = await RedisServerProcess.Start(to);
        using var writer = SyncProcess.Open(source.Uri);
        using var changer = SyncProcess.Open(target.Uri);
        foreach (var command in Values)
            writer.Execute(command);
        var hasTimes = Knows(writer) && Knows(changer);
        if (hasTimes)
            writer.Execute("HPEXPIREAT", "long hash", "4000000000000", "FIELDS", "2", "field 5", "field 6");
        await SyncProcess.Run("scan", source.Uri, target.Uri);

        (await VerifyProcess.Run(source.Uri, target.Uri)).Synced("equal").ShouldBe(16);

        foreach (var (_, command) in Changes)
            changer.Execute(command);
        (await VerifyProcess.FindDifferences(source.Uri, target.Uri))
            .ShouldBe(Changes.Select(one => one.Found), ignoreOrder: true);
        if (!hasTimes)
            return;
        changer.Execute("HPEXPIREAT", "long hash", "4000000009000", "FIELDS", "1", "field 6");
        changer.Execute("HSET", "long hash", "field 77", "77");
        (await VerifyProcess.FindDifferences(source.Uri, target.Uri))
            .ShouldContain("value long hash time of field field 6");
    }

    // Each server carries out what it knows of these, and passes on what it has done.
    [Theory]
    [InlineData("redis-server", "redis-server")]
    [InlineData("redis-server", "valkey-server")]
    [InlineData("valkey-server", "redis-server")]
    public async Task CommandsOfEveryKind_LeaveTheSameBetweenVersions(string from, string to)
    {
        ServerRequirement.RequireServer(from);
        ServerRequirement.RequireServer(to);
        await using var source = await RedisServerProcess.Start(from);
        await using var target = await RedisServerProcess.Start(to);
        using var writer = SyncProcess.Open(source.Uri);
        using var reader = SyncProcess.Open(target.Uri);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        writer.Execute("SET", "first", "1");
        await process.Until("it follows", () => reader.Execute("EXISTS", "first").Number == 1);

        var carriedOut = Commands.Count(command => !writer.Request(command.Split(' ')).IsError);
        writer.Execute("SET", "last", "1");

        carriedOut.ShouldBeGreaterThan(50);
        await process.Until("the last is there", () => reader.Execute("EXISTS", "last").Number == 1);
        (await process.EndBy("TERM")).ShouldBe(143, process.ToString());
        var record = await VerifyProcess.Run(source.Uri, target.Uri);
        record.Synced("equal").ShouldBe(reader.Execute("DBSIZE").Number - 1);
    }

    private static bool Knows(RedisConnection server) =>
        server.Execute("COMMAND", "INFO", "HPEXPIREAT").Items[0].Items.Count > 0;
}
