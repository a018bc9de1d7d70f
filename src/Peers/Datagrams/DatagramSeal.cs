using System.Security.Cryptography;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// Seals datagrams and opens seals: HMAC-SHA256 (RFC 2104) of everything before it, cut to 16 bytes. Belongs to one
/// thread; allocates nothing once it is warm.
/// </summary>
internal sealed class DatagramSeal(ProbeKey key) : IDisposable
{
    public const int Length = 16;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key.Bytes);

    public void Close(Span<byte> datagram) =>
        Compute(datagram[..ProbeDatagram.SealOffset], datagram.Slice(ProbeDatagram.SealOffset, Length));

    /// <summary>Whether the seal is of these bytes and this key; takes as long either way.</summary>
    public bool IsIntact(ReadOnlySpan<byte> datagram)
    {
        Span<byte> expected = stackalloc byte[Length];
        Compute(datagram[..ProbeDatagram.SealOffset], expected);
        return CryptographicOperations.FixedTimeEquals(expected, datagram.Slice(ProbeDatagram.SealOffset, Length));
    }

    public void Dispose() => _hash.Dispose();

    private void Compute(ReadOnlySpan<byte> bytes, Span<byte> seal)
    {
        Span<byte> whole = stackalloc byte[HMACSHA256.HashSizeInBytes];
        _hash.AppendData(bytes);
        _hash.GetHashAndReset(whole);
        whole[..Length].CopyTo(seal);
    }
}
