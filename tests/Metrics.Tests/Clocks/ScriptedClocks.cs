namespace RedisLatency.Metrics.Tests.Clocks;

/// <summary>A monotonic and a wall clock that advance by a scripted step at every reading of either.</summary>
internal sealed class ScriptedClocks(DateTimeOffset wallStart, IEnumerable<long> stepsNs) : TimeProvider
{
    private readonly Queue<long> _stepsNs = new(stepsNs);
    private long _nowNs;

    public override long TimestampFrequency => 1_000_000_000;

    public override long GetTimestamp() => Advance();

    public override DateTimeOffset GetUtcNow() => wallStart.AddTicks(Advance() / 100);

    private long Advance() => _nowNs += _stepsNs.TryDequeue(out var step) ? step : 10_000;
}
