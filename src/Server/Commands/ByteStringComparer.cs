using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace RedisLatency.Server.Commands;

/// <summary>
/// Compares byte strings, and looks them up by span so that a lookup allocates nothing. The hash is seeded per
/// process: keys come from the network.
/// </summary>
internal sealed class ByteStringComparer
    : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    private const ulong Multiplier = 0x9E3779B97F4A7C15;
    private static readonly ulong Seed = (ulong)Random.Shared.NextInt64();

    private ByteStringComparer()
    {
    }

    public static ByteStringComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode([DisallowNull] byte[] obj) => GetHashCode(obj.AsSpan());

    public int GetHashCode(ReadOnlySpan<byte> alternate)
    {
        var hash = Seed ^ (ulong)alternate.Length;
        while (alternate.Length >= sizeof(ulong))
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt64LittleEndian(alternate));
            alternate = alternate[sizeof(ulong)..];
        }

        var rest = 0UL;
        foreach (var letter in alternate)
            rest = (rest << 8) | letter;
        return (int)(Mix(hash ^ rest) >> 32);
    }

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

    private static ulong Mix(ulong value) => BitOperations.RotateLeft(value * Multiplier, 31) * Multiplier;
}
