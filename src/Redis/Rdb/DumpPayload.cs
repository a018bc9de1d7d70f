using System.Buffers.Binary;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// What DUMP gives and RESTORE takes: type, value, version in two bytes, checksum in eight (cluster.c of Redis).
/// </summary>
public readonly ref struct DumpPayload
{
    /// <summary>How many bytes longer it is than the value.</summary>
    public const int Overhead = 1 + FooterLength;

    private const int VersionLength = 2;
    private const int FooterLength = VersionLength + sizeof(ulong);

    private DumpPayload(byte type, ReadOnlySpan<byte> value, RdbFormat format, bool hasModuleMetadata)
    {
        HasModuleMetadata = hasModuleMetadata;
        Type = type;
        Value = value;
        Format = format;
    }

    /// <summary>The number of the value's type.</summary>
    public byte Type { get; }

    /// <summary>The value as an RDB file would have it.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>The version that the server stamped it with.</summary>
    public RdbFormat Format { get; }

    /// <summary>Whether modules had attached metadata to the key (Redis 8.6), which stands before the value.</summary>
    public bool HasModuleMetadata { get; }

    /// <summary>Takes a server's answer to DUMP apart.</summary>
    /// <exception cref="RdbException">It is damaged, or holds more or less than one value.</exception>
    public static DumpPayload Parse(ReadOnlySpan<byte> payload)
    {
        if (payload.Length <= Overhead)
            throw new RdbException($"a dump of {payload.Length} bytes is too short", 0);
        var content = payload[..^FooterLength];
        var footer = payload[^FooterLength..];
        var stored = BinaryPrimitives.ReadUInt64LittleEndian(footer[VersionLength..]);
        var made = Crc64.Append(0, payload[..^sizeof(ulong)]);
        if (stored != made)
        {
            throw new RdbException(
                $"the checksum of the dump is {stored:x16}, that of its content {made:x16}",
                payload.Length - sizeof(ulong));
        }

        var format = RdbFormat.Of(BinaryPrimitives.ReadUInt16LittleEndian(footer));
        var hasMetadata = content[0] == RdbOpcode.KeyMetadata && !format.IsValkey;
        if (hasMetadata)
            content = content[MetadataLength(content)..];
        return content.IsEmpty
            ? throw new RdbException("a dump without a value", 0)
            : new(content[0], content[1..], format, hasMetadata);
    }

    /// <summary>Writes a payload as a bulk string, an argument of RESTORE.</summary>
    /// <inheritdoc cref="Write"/>
    public static void WriteBulkString(RespWriter writer, byte type, ReadOnlySpan<byte> value, int version)
    {
        writer.WriteHeader(RespType.BulkString, value.Length + Overhead);
        Write(writer, type, value, version);
        writer.WriteRaw("\r\n"u8);
    }

    /// <summary>Writes a payload alone; nothing is copied but to the writer.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="type">The number of the value's type.</param>
    /// <param name="value">The value's bytes.</param>
    /// <param name="version">The version to stamp it with: <see cref="RdbFormat.StampFor"/>.</param>
    public static void Write(RespWriter writer, byte type, ReadOnlySpan<byte> value, int version)
    {
        Fill(writer.GetSpan(value.Length + Overhead), type, value, version);
        writer.Advance(value.Length + Overhead);
    }

    /// <summary>Writes a payload into bytes of its length, which is the value's and <see cref="Overhead"/>.</summary>
    /// <param name="target">Where to.</param>
    /// <param name="type">The number of the value's type.</param>
    /// <param name="value">The value's bytes.</param>
    /// <param name="version">The version to stamp it with: <see cref="RdbFormat.StampFor"/>.</param>
    public static void Fill(Span<byte> target, byte type, ReadOnlySpan<byte> value, int version)
    {
        target[0] = type;
        value.CopyTo(target[1..]);
        BinaryPrimitives.WriteUInt16LittleEndian(target[^FooterLength..], (ushort)version);
        BinaryPrimitives.WriteUInt64LittleEndian(
            target[^sizeof(ulong)..], Crc64.Append(0, target[..^sizeof(ulong)]));
    }

    /// <summary>Writes what stands behind a value: version and checksum.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="type">The byte before the value, if it is not its first.</param>
    /// <param name="value">The value's bytes.</param>
    /// <param name="version">The version to stamp it with.</param>
    public static void WriteFooter(RespWriter writer, ReadOnlySpan<byte> type, ReadOnlySpan<byte> value, int version)
    {
        var footer = writer.GetSpan(FooterLength);
        BinaryPrimitives.WriteUInt16LittleEndian(footer, (ushort)version);
        var checksum = Crc64.Append(Crc64.Append(Crc64.Append(0, type), value), footer[..VersionLength]);
        BinaryPrimitives.WriteUInt64LittleEndian(footer[VersionLength..], checksum);
        writer.Advance(FooterLength);
    }

    private static int MetadataLength(ReadOnlySpan<byte> content)
    {
        var input = new RdbInput(content.ToArray(), content.Length);
        input.ReadByte();
        input.SkipKeyMetadata();
        return (int)input.Offset;
    }
}
