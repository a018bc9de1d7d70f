using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Keys <c>k0</c>, <c>k1</c>, … in turn, and values that all are the same letter.</summary>
internal sealed class PlainInputs(int keys, int valueLength = 8, int? longestValue = null) : CommandInputs
{
    private long _next;
    private ulong _state = 1;

    public override int MaximumKeyLength => 21;

    public override int MaximumValueLength => longestValue ?? valueLength;

    public override long NextKey(int stream) => _next++ % keys;

    public override int WriteKey(long key, Span<byte> destination)
    {
        destination[0] = (byte)'k';
        System.Buffers.Text.Utf8Formatter.TryFormat(key, destination[1..], out var digits);
        return digits + 1;
    }

    public override int WriteValue(long key, Span<byte> destination)
    {
        destination[..valueLength].Fill((byte)'v');
        return valueLength;
    }

    public override ulong NextRandom()
    {
        _state ^= _state << 13;
        _state ^= _state >> 7;
        _state ^= _state << 17;
        return _state;
    }

    public override bool IsExpected(long key, ReadOnlySpan<byte> value) =>
        value.Length == valueLength && value.IndexOfAnyExcept((byte)'v') < 0;
}
