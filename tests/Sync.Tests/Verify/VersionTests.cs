using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

public class VersionTests
{
    private static readonly string[][] Values =
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

    private static bool Knows(RedisConnection server) =>
        server.Execute("COMMAND", "INFO", "HPEXPIREAT").Items[0].Items.Count > 0;
}
