using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Real servers with keys of every type and encoding that they have, and what can be seen of those.</summary>
internal static class FilledServer
{
    public static RespLimits Long { get; } = new();

    public static async Task<RedisServerProcess> Start(string program)
    {
        ServerRequirement.Require(program);
        return await RedisServerProcess.Start(program, "--enable-debug-command", "yes");
    }

    public static RedisConnection Open(RedisServerProcess server) => RedisConnection.Open(
        RedisEndpoint.Parse(server.Uri),
        Patience.Connection with { ReplyLimits = RespLimits.Default, Protocol = RespPreference.Resp2 });

    /// <summary>Keys small and large, with and without times to live, in three databases.</summary>
    public static void Fill(RedisConnection client)
    {
        FillStrings(client);
        foreach (var (suffix, count, width) in (ReadOnlySpan<(string, int, int)>)[("small", 5, 3), ("large", 700, 90)])
            FillCollections(client, suffix, count, width);
        client.Execute("SADD", "set:16", "-300", "1", "200");
        client.Execute("SADD", "set:32", "-70000", "1", "70000");
        client.Execute("SADD", "set:64", "-5000000000", "1", "9223372036854775807");
        client.Execute("RPUSH", "list:plain", new string('p', 20_000), "x", new string('q', 20_000));
        client.Execute("ZADD", "zset:odd", "inf", "a", "-inf", "b", "0.1", "c", "1e300", "d", "-0", "e");
        client.Execute("ZADD", "zset:odd", "3.0000000000000004", "f");
        FillStream(client);
        client.Execute("PEXPIREAT", "hash:small", "4102444800000");
        client.Execute("PEXPIREAT", "string:text", "4102444800123");
        client.Execute("SELECT", "9");
        client.Execute("SET", "other", "database");
        client.Execute("SELECT", "0");
    }

    /// <summary>What clients see in one server and not in the other.</summary>
    public static List<string> Differences(RedisConnection one, RedisConnection other)
    {
        var (left, right) = (See(one), See(other));
        left.Count.ShouldBeGreaterThan(30);
        return [.. left.Keys.Union(right.Keys).Where(key => left.GetValueOrDefault(key) != right.GetValueOrDefault(key))
            .Select(key => $"{key}: {left.GetValueOrDefault(key)} | {right.GetValueOrDefault(key)}")];
    }

    /// <summary>What a client sees of every key, in every database.</summary>
    private static SortedDictionary<string, string> See(RedisConnection client)
    {
        var seen = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var database in (string[])["0", "9"])
        {
            client.Execute("SELECT", database);
            foreach (var key in client.Request(Long, "KEYS", "*").Items.Select(item => item.Text))
            {
                var type = client.Execute("TYPE", key).Text;
                var value = type switch
                {
                    "stream" => Stream(client, key),
                    // The two programs print scores differently, and make digests of that.
                    "zset" => string.Join(' ', client.Execute("ZRANGE", key, "0", "-1", "WITHSCORES").Items.Chunk(2)
                        .Select(pair => $"{pair[0]}={Score(pair[1].Text)}")),
                    _ => client.Execute("DEBUG", "DIGEST-VALUE", key).Items[0].Text,
                };
                seen.Add($"{database} {key}", $"{type} {client.Execute("PEXPIRETIME", key)} {value}");
            }
        }

        client.Execute("SELECT", "0");
        return seen;
    }

    private static void FillStrings(RedisConnection client)
    {
        client.Execute("SET", "string:text", "hello");
        client.Execute("SET", "string:empty", "");
        client.Execute("SET", "string:compressed", string.Concat(Enumerable.Repeat("compressible ", 5000)));
        client.Execute("SET", "string:long", new string('l', 17 << 20));
        long[] numbers = [0, -1, 127, 128, -129, 32_767, 70_000, int.MinValue, 3_000_000_000, long.MinValue];
        foreach (var number in numbers)
            client.Execute("SET", $"string:{number}", number.ToString(CultureInfo.InvariantCulture));
        client.Execute("SETBIT", "string:bits", "70000", "1");
        client.Execute("PFADD", "string:hyperloglog", "a", "b", "c");
    }

    private static void FillCollections(RedisConnection client, string suffix, int count, int width)
    {
        var words = Enumerable.Range(0, count)
            .Select(i => i % 3 == 0 ? $"{(i * 37) - 50}" : $"w{i}".PadRight(width, 'x')).ToArray();
        client.Execute(["RPUSH", $"list:{suffix}", .. words]);
        client.Execute(["SADD", $"set:{suffix}", .. words]);
        client.Execute(["SADD", $"set:numbers:{suffix}", .. Enumerable.Range(0, count).Select(i => $"{i * 1000}")]);
        client.Execute(["HSET", $"hash:{suffix}", .. words.SelectMany((word, i) => (string[])[word, $"{i}"])]);
        client.Execute(["ZADD", $"zset:{suffix}", .. words.SelectMany((word, i) => (string[])[$"{i * 0.37}", word])]);
    }

    private static void FillStream(RedisConnection client)
    {
        client.Execute("XADD", "stream:empty", "MAXLEN", "0", "7-7", "a", "b");
        for (var i = 1; i <= 300; i++)
        {
            var other = i % 2 == 0 ? "even" : "odd";
            client.Execute("XADD", "stream", $"{i}-1", "field", $"{i}", other, new string('v', i));
        }

        client.Execute("XGROUP", "CREATE", "stream", "readers", "0");
        client.Execute("XGROUP", "CREATE", "stream", "none", "100-1", "ENTRIESREAD", "100");
        client.Execute("XGROUP", "CREATECONSUMER", "stream", "readers", "idle");
        client.Execute("XREADGROUP", "GROUP", "readers", "one", "COUNT", "20", "STREAMS", "stream", ">");
        client.Execute("XREADGROUP", "GROUP", "readers", "two", "COUNT", "5", "STREAMS", "stream", ">");
        client.Execute("XREADGROUP", "GROUP", "readers", "two", "COUNT", "5", "STREAMS", "stream", "0");
        client.Execute("XACK", "stream", "readers", "3-1");
        client.Execute("XDEL", "stream", "5-1", "6-1", "290-1", "300-1");
        client.Execute("XTRIM", "stream", "MINID", "2-1");
    }

    private static string Score(string text) =>
        double.Parse(text.Replace("inf", "Infinity"), CultureInfo.InvariantCulture)
            .ToString("R", CultureInfo.InvariantCulture);

    // Without the lengths of trees, which differ, and the times when consumers were seen, which no command sets.
    private static string Stream(RedisConnection client, string key)
    {
        var text = new StringBuilder();
        var info = Pairs(client.Request(Long, "XINFO", "STREAM", key, "FULL", "COUNT", "0"));
        string[] names = ["length", "last-generated-id", "max-deleted-entry-id", "entries-added", "entries"];
        foreach (var name in names)
            text.Append(CultureInfo.InvariantCulture, $"{name} {info[name]}\n");
        foreach (var group in info["groups"].Items.Select(Pairs))
        {
            text.Append(CultureInfo.InvariantCulture, $"{group["name"]} {group["last-delivered-id"]} ");
            text.Append(CultureInfo.InvariantCulture, $"{group["entries-read"]} {group["pending"]}\n");
            foreach (var consumer in group["consumers"].Items.Select(Pairs))
                text.Append(CultureInfo.InvariantCulture, $"{consumer["name"]} {consumer["pending"]}\n");
        }

        return text.ToString();
    }

    private static Dictionary<string, RespValue> Pairs(RespValue map) =>
        map.Items.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1]);
}
