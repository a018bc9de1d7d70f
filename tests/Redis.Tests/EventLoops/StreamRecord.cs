using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Tests.EventLoops;

/// <summary>Keeps what a loop tells.</summary>
internal sealed class StreamRecord : IStreamReceiver
{
    public Dictionary<int, List<byte>> Bytes { get; } = [];

    public List<(int Token, string? Cause)> Ends { get; } = [];

    /// <summary>Called after bytes were kept.</summary>
    public Action<int>? WhenReceived { get; set; }

    public int Count(int token) => Bytes.TryGetValue(token, out var bytes) ? bytes.Count : 0;

    public void Received(int token, ReadOnlySpan<byte> bytes)
    {
        if (!Bytes.TryGetValue(token, out var kept))
            Bytes[token] = kept = [];
        kept.AddRange(bytes);
        WhenReceived?.Invoke(token);
    }

    public void Ended(int token, string? cause) => Ends.Add((token, cause));
}
