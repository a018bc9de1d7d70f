using RedisLatency.Fixtures;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>A target that several shards write to.</summary>
internal sealed class LockedSink(RedisServerProcess target) : ISyncSink, IDisposable
{
    private readonly TargetSink _sink = new(target);
    private readonly Lock _gate = new();

    public long AppliedOffset => 0;

    public void Pass(SyncBatch batch)
    {
        lock (_gate)
            _sink.Pass(batch);
    }

    public void AwaitApplied()
    {
    }

    public void Note(string kind, string text) => _sink.Note(kind, text);

    public void Skip(string reason, ReadOnlySpan<byte> key) => _sink.Skip(reason, key);

    public void Fault(string text) => _sink.Fault(text);

    public void Dispose() => _sink.Dispose();
}
