using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Keys;

/// <summary>
/// Three characters for each of some slots, as redis-benchmark puts them for <c>{tag}</c>. Immutable.
/// </summary>
internal sealed class ClusterTags
{
    public const int Length = 3;

    // Odd, so that all slots have their turn; far apart, so that few keys have the slots of all nodes.
    private const int Stride = 10125;

    private static readonly byte[] BySlot = FindAll();

    private readonly byte[] _tags;

    private ClusterTags(IEnumerable<int> slots) =>
        _tags = [.. slots.SelectMany(slot => BySlot[(slot * Length)..((slot + 1) * Length)])];

    /// <summary>Those of all slots.</summary>
    public static ClusterTags All { get; } =
        new(Enumerable.Range(0, KeySlot.Count).Select(index => (int)((long)index * Stride % KeySlot.Count)));

    /// <summary>After so many keys the same slot has its turn again.</summary>
    public int Count => _tags.Length / Length;

    private static ReadOnlySpan<byte> Alphabet => "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"u8;

    public static ClusterTags OfSlots(IEnumerable<int> slots) => new(slots);

    public int Write(long index, Span<byte> destination)
    {
        var place = (int)((ulong)index % (uint)Count);
        _tags.AsSpan(place * Length, Length).CopyTo(destination);
        return Length;
    }

    public int WriteInBraces(long index, Span<byte> destination)
    {
        destination[0] = (byte)'{';
        Write(index, destination[1..]);
        destination[Length + 1] = (byte)'}';
        return Length + 2;
    }

    private static byte[] FindAll()
    {
        var tags = new byte[KeySlot.Count * Length];
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
