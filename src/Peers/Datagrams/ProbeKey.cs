using System.Buffers.Binary;
using System.Security.Cryptography;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// What the two sides of a probe exchange authenticate each other with. It never prints itself, so that it comes into
/// no log, no result and no exception by accident.
/// </summary>
public sealed class ProbeKey
{
    /// <summary>The key's length in bytes.</summary>
    public const int Length = 32;

    private const int TextLength = 44;

    private readonly byte[] _bytes;

    internal ProbeKey(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Length)
            throw new ArgumentException($"A key has {Length} bytes.", nameof(bytes));
        _bytes = bytes.ToArray();
    }

    internal ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Reads a key as <see cref="Reveal"/> writes it.</summary>
    /// <returns>Null where it is none.</returns>
    public static ProbeKey? Parse(string? text)
    {
        if (text is not { Length: TextLength })
            return null;
        Span<byte> bytes = stackalloc byte[Length + 1];
        return Convert.TryFromBase64String(text, bytes, out var written) && written == Length
            ? new ProbeKey(bytes[..Length])
            : null;
    }

    /// <summary>The key as base64, for the peer alone.</summary>
    public string Reveal() => Convert.ToBase64String(_bytes);

    /// <summary>Never the key.</summary>
    public override string ToString() => "***";
}

/// <summary>
/// The random secret of an answering process: the key of each run is derived from it, so that who has one run's key
/// has no other's.
/// </summary>
public sealed class ProbeSecret
{
    private readonly byte[] _bytes = RandomNumberGenerator.GetBytes(ProbeKey.Length);

    /// <summary>The key of a run.</summary>
    /// <param name="run">The run's number.</param>
    public ProbeKey KeyOf(ulong run)
    {
        Span<byte> number = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(number, run);
        return new ProbeKey(HMACSHA256.HashData(_bytes, number));
    }

    /// <summary>Never the secret.</summary>
    public override string ToString() => "***";
}
