using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Keys;

/// <summary>Three characters for each slot of a cluster, as redis-benchmark puts them for <c>{tag}</c>.</summary>
internal static class ClusterTags
{
    public const int Length = 3;

    /// <summary>After so many keys the same slot has its turn again.</summary>
    public const int Slots = 16384;

    // Odd, so that all slots have their turn; far apart, so that few keys have the slots of all nodes.
    private const ulong Stride = 10125;

    private static readonly byte[] All = Create();

    private static ReadOnlySpan<byte> Alphabet => "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"u8;

    public static int Write(long index, Span<byte> destination)
    {
        var slot = (int)(((ulong)index * Stride) % Slots);
        All.AsSpan(slot * Length, Length).CopyTo(destination);
        return Length;
    }

    public static int WriteInBraces(long index, Span<byte> destination)
    {
        destination[0] = (byte)'{';
        Write(index, destination[1..]);
        destination[Length + 1] = (byte)'}';
        return Length + 2;
    }

    private static byte[] Create()
    {
        var tags = new byte[Slots * Length];
        var alphabet = Alphabet;
        Span<byte> tag = stackalloc byte[Length];
        for (var number = 0; number < alphabet.Length * alphabet.Length * alphabet.Length; number++)
        {
            tag[0] = alphabet[number / (alphabet.Length * alphabet.Length)];
            tag[1] = alphabet[number / alphabet.Length % alphabet.Length];
            tag[2] = alphabet[number % alphabet.Length];
            tag.CopyTo(tags.AsSpan(KeySlot.Of(tag) * Length));
        }

        return tags;
    }
}
