using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace RedisLatency.Peers.Rendezvous;

/// <summary>How a run and a process sign frames and probes.</summary>
public static class RunIdentity
{
    /// <summary>A run's number: the first eight bytes of its name's SHA-256, so that all members agree on it.</summary>
    public static ulong OfRun(string name) =>
        BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(name)));

    /// <summary>A process's number: random, and never 0.</summary>
    public static ulong NewProcess()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(bytes);
        return BinaryPrimitives.ReadUInt64LittleEndian(bytes) | 1;
    }
}
