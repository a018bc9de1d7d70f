using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Checkpoints;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>All keys of a server or cluster with a digest of each value and the time it expires.</summary>
internal static class KeyContents
{
    private const int Databases = 4;

    public static readonly string[] Debuggable = ["--enable-debug-command", "yes"];

    public static SortedDictionary<string, string> Of(RedisServerProcess server) => Read(DatabasesOf(server));

    public static SortedDictionary<string, string> Of(RedisClusterProcesses cluster) => Read(DatabasesOf(cluster));

    // Cheaper, for whoever looks again and again.
    public static long CountOf(RedisServerProcess server) => Count(DatabasesOf(server));

    public static long CountOf(RedisClusterProcesses cluster) => Count(DatabasesOf(cluster));

    // Of the database that is selected, without what a run keeps there for itself.
    public static long CountIn(RedisConnection connection) => connection.Execute("DBSIZE").Number
        - connection.Request(RespLimits.List, "KEYS", $"{CheckpointKeys.Name}*").Items.Count;

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

    // Each one selected, in its turn.
    private static IEnumerable<(string Mark, RedisConnection Connection)> DatabasesOf(RedisServerProcess server)
    {
        using var connection = SyncProcess.Open(server.Uri);
        for (var database = 0; database < Databases; database++)
        {
            connection.Execute("SELECT", database.ToString(CultureInfo.InvariantCulture));
            yield return ($"{database}/", connection);
        }
    }

    private static IEnumerable<(string Mark, RedisConnection Connection)> DatabasesOf(RedisClusterProcesses cluster)
    {
        foreach (var server in cluster.Servers.Where(server => server.IsRunning))
        {
            using var connection = cluster.Open(server);
            if (connection.Execute("ROLE").Items[0].Text == "master")
                yield return ("0/", connection);
        }
    }

    private static long Count(IEnumerable<(string Mark, RedisConnection Connection)> databases) =>
        databases.Sum(one => CountIn(one.Connection));

    private static SortedDictionary<string, string> Read(
        IEnumerable<(string Mark, RedisConnection Connection)> databases)
    {
        var contents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (mark, connection) in databases)
            Read(connection, mark, contents);
        return contents;
    }

    // All at once: tests look again and again, at thousands of keys.
    private static void Read(RedisConnection connection, string mark, SortedDictionary<string, string> contents)
    {
        var keys = connection.Request(RespLimits.List, "KEYS", "*").Items.Select(key => key.Text)
            .Where(key => !key.StartsWith(CheckpointKeys.Name, StringComparison.Ordinal)).ToList();
        var pipeline = new RedisPipeline(connection);
        var requests = new RespWriter();
        foreach (var key in keys)
        {
            requests.WriteRequest("TYPE", key);
            requests.WriteRequest("DEBUG", "DIGEST-VALUE", key);
            requests.WriteRequest("PEXPIRETIME", key);
        }

        pipeline.Send(requests.Written, keys.Count * 3);
        foreach (var key in keys)
            contents[mark + key] = $"{Next("TYPE")} {Next("DEBUG")} {Next("PEXPIRETIME")}";

        string Next(string command)
        {
            var reply = pipeline.Await(command);
            // A digest is the only one of its list.
            if (reply.Type == RespType.Array)
                reply.MoveNext();
            var text = Encoding.UTF8.GetString(reply.Content);
            return reply.IsError ? throw new RedisServerException(text) : text;
        }
    }
}
