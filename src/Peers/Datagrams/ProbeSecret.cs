using System.Buffers.Binary;
using System.Security.Cryptography;

namespace RedisLatency.Peers.Datagrams;

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
