using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>What the tests of readers share.</summary>
internal static class SourceServers
{
    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static Task<RedisServerProcess> Start(params string[] arguments) => RedisServerProcess.Start(
        "redis-server",
        ["--enable-debug-command", "yes", .. arguments]);

    public static RedisConnection Open(RedisServerProcess server) => RedisConnection.Open(
        RedisEndpoint.Parse(server.Uri), Patience.Connection with { ReplyLimits = RespLimits.Default });

    public static SourceOptions Options(string uri) => new()
    {
        Endpoint = RedisEndpoint.Parse(uri),
        Connection = Patience.Connection,
        LostLimit = ServiceProcess.LimitAgainstHangs,
    };

    /// <summary>Keys of some types, in two databases.</summary>
    public static void Fill(RedisConnection client, int count = 300)
    {
        for (var i = 0; i < count; i++)
        {
            client.Execute("SET", $"string:{i}", new string('s', i));
            client.Execute("HSET", $"hash:{i % 7}", $"field:{i}", $"{i}");
            client.Execute("RPUSH", $"list:{i % 5}", $"{i}");
            client.Execute("ZADD", $"zset:{i % 3}", $"{i / 3.0}", $"{i}");
            client.Execute("XADD", "stream", $"{i + 1}-1", "n", $"{i}");
        }

        client.Execute("PEXPIREAT", "string:9", "4102444800000");
        client.Execute("SELECT", "3");
        client.Execute("SET", "elsewhere", "1");
        client.Execute("SELECT", "0");
    }

    public static string Digest(RedisConnection client) => client.Execute("DEBUG", "DIGEST").Text;

    /// <summary>Reads on a thread of its own until it is told to stop.</summary>
    public static Task Run(this ISyncReader reader, ISyncSink sink, IStopToken stop) => Task.Factory.StartNew(
        () =>
        {
            try
            {
                reader.Read(sink, stop);
            }
            catch (OperationCanceledException)
            {
            }
        },
        Cancellation, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Looks until the condition holds, and fails with the reader if that fails first.</summary>
    public static async Task Until(string what, Task reading, Func<bool> look)
    {
        await Eventually.Is(what, () => reading.IsFaulted || look());
        if (reading.IsFaulted)
            await reading;
    }
}
