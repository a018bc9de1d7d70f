namespace RedisLatency.Server.Tests.Commands;

/// <summary>A clock that a test moves.</summary>
internal sealed class ManualTime : TimeProvider
{
    private long _milliseconds = 1_700_000_000_000;

    public override DateTimeOffset GetUtcNow() =>
        DateTimeOffset.FromUnixTimeMilliseconds(Volatile.Read(ref _milliseconds));

    public void Advance(long milliseconds) => Interlocked.Add(ref _milliseconds, milliseconds);
}
