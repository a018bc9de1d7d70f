namespace RedisLatency.Redis.Rings;

/// <summary>What a completion answers; the lowest bits of its token.</summary>
internal enum RingWork
{
    Receive,
    Send,
    Wake,
    Cancel,
}
