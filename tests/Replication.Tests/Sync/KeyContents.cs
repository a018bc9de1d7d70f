using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Tests.Sync;

/// <summary>All keys of a server or cluster with a digest of each value and the time it expires.</summary>
internal static class KeyContents
{
    private const int Databases = 4;

    public static readonly string[] Debuggable = ["--enable-debug-command", "yes"];

    public static SortedDictionary<string, string> Of(RedisServerProcess server)
    {
        using var connection = SyncProcess.Open(server.Uri);
        var contents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        for (var database = 0; database < Databases; database++)
        {
            connection.Execute("SELECT", database.ToString(CultureInfo.InvariantCulture));
            Read(connection, $"{database}/", contents);
        }

        return contents;
    }

    public static SortedDictionary<string, string> Of(RedisClusterProcesses cluster)
    {
        var contents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var server in cluster.Servers.Where(server => server.IsRunning))
        {
            using var connection = cluster.Open(server);
            if (connection.Execute("ROLE").Items[0].Text == "master")
                Read(connection, "0/", contents);
        }

        return contents;
    }

    /// <summary>Writes keys of every type, some of which expire.</summary>
    public static void Write(RedisConnection connection, int count = 50, string prefix = "")
    {
        for (var i = 0; i < count; i++)
        {
            connection.Execute("SET", $"{prefix}string:{i}", $"value {i}", "PX", "100000000");
            connection.Execute("RPUSH", $"{prefix}list:{i}", "a", "b", $"{i}");
            connection.Execute("HSET", $"{prefix}hash:{i}", "a", "1", "b", $"{i}");
            connection.Execute("SADD", $"{prefix}set:{i}", "x", "y", $"{i}");
            connection.Execute("ZADD", $"{prefix}zset:{i}", "1", "x", $"{i}.5", "y");
            connection.Execute("XADD", $"{prefix}stream:{i}", $"{i + 1}-1", "field", "value");
            connection.Execute("XGROUP", "CREATE", $"{prefix}stream:{i}", "group", "0");
        }
    }

    private static void Read(RedisConnection connection, string mark, SortedDictionary<string, string> contents)
    {
        foreach (var key in connection.Request(RespLimits.List, "KEYS", "*").Items.Select(key => key.Text))
        {
            var digest = connection.Execute("DEBUG", "DIGEST-VALUE", key).Items[0].Text;
            var expiry = connection.Execute("PEXPIRETIME", key).Text;
            contents[mark + key] = $"{connection.Execute("TYPE", key).Text} {digest} {expiry}";
        }
    }
}
