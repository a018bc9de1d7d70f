using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>A source and a target, with a connection to each.</summary>
internal sealed class SyncPair : IAsyncDisposable
{
    private SyncPair(RedisServerProcess source, RedisServerProcess target)
    {
        (Source, Target) = (source, target);
        (From, To) = (SyncProcess.Open(source.Uri), SyncProcess.Open(target.Uri));
    }

    public RedisServerProcess Source { get; }

    public RedisServerProcess Target { get; }

    public RedisConnection From { get; }

    public RedisConnection To { get; }

    public static async Task<SyncPair> Start(string[]? source = null, string[]? target = null)
    {
        var from = await RedisServerProcess.Start(arguments: [.. KeyContents.Debuggable, .. source ?? []]);
        return new SyncPair(
            from, await RedisServerProcess.Start(arguments: [.. KeyContents.Debuggable, .. target ?? []]));
    }

    public ServiceProcess Sync(params string[] arguments) =>
        SyncProcess.Start("sync", Source.Uri, Target.Uri, arguments);

    // With the first key at the target, so that the stream has begun.
    public async Task<ServiceProcess> SyncFirst(params string[] arguments)
    {
        From.Execute("SET", "first", "1");
        var process = Sync(arguments);
        await process.Until("the first key is there", () => To.Execute("EXISTS", "first").Number == 1);
        return process;
    }

    public const string LifeMs = "2500";

    // Keys that expire are at the target before it stands still, which it does until they have.
    public async Task StandStill(ServiceProcess process, Action meanwhile, params string[] expiring)
    {
        foreach (var key in expiring)
            From.Execute("SET", key, "5", "PX", LifeMs);
        await process.Until(
            "all are there", () => expiring.All(key => To.Execute("EXISTS", key).Number == 1));
        var end = expiring.Max(key => To.Execute("PEXPIRETIME", key).Number);
        Target.Pause();
        meanwhile();
        await process.Until("all have expired", () => NowMs(From) > end);
        Target.Resume();
    }

    private static long NowMs(RedisConnection server) =>
        server.Execute("EVAL", "local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000)", "0").Number;

    public async ValueTask DisposeAsync()
    {
        From.Dispose();
        To.Dispose();
        await Source.DisposeAsync();
        await Target.DisposeAsync();
    }
}
