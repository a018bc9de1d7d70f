using System.Buffers.Binary;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

// Any process can check any value that another has written, also one that was cut or is another key's: little-endian
// outputs of splitmix64 (SplitMix64) started at mix(mix(key) + length).
internal sealed class DeterministicContent : Content
{
    public override bool CanVerify => true;

    public override void Fill(long key, RandomSource random, Span<byte> value)
    {
        var state = StateOf(key, value.Length);
        while (value.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(value, SplitMix64.Next(ref state));
            value = value[sizeof(ulong)..];
        }

        for (var rest = SplitMix64.Next(ref state); !value.IsEmpty; rest >>= 8, value = value[1..])
            value[0] = (byte)rest;
    }

    public override bool Verify(long key, ReadOnlySpan<byte> value)
    {
        var state = StateOf(key, value.Length);
        while (value.Length >= sizeof(ulong))
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(value) != SplitMix64.Next(ref state))
                return false;
            value = value[sizeof(ulong)..];
        }

        for (var rest = SplitMix64.Next(ref state); !value.IsEmpty; rest >>= 8, value = value[1..])
        {
            if (value[0] != (byte)rest)
                return false;
        }

        return true;
    }

    private static ulong StateOf(long key, int length) => SplitMix64.Mix(SplitMix64.Mix((ulong)key) + (ulong)length);
}
