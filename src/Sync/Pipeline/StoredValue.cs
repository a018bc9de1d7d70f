using RedisLatency.Redis.Rdb;

namespace RedisLatency.Sync.Pipeline;

/// <summary>A value as an RDB file has it; of a DUMP payload version and checksum follow.</summary>
internal readonly record struct StoredValue(byte Type, ReadOnlyMemory<byte> Bytes, int Version)
{
    public int PayloadLength => Bytes.Length + DumpPayload.Overhead;

    public void WriteTo(Span<byte> payload) => DumpPayload.Fill(payload, Type, Bytes.Span, Version);

    public byte[] ToPayload()
    {
        var payload = GC.AllocateUninitializedArray<byte>(PayloadLength);
        WriteTo(payload);
        return payload;
    }
}
