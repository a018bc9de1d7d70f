using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Micro.Rdb;

/// <summary>A file of 64 MiB, its checksum made: strings of 100 bytes, and hashes in listpacks of 1 KiB.</summary>
[MemoryDiagnoser]
public class RdbReading
{
    private const int FileSize = 64 << 20;

    private readonly byte[] _strings = Make(WriteString);
    private readonly byte[] _hashes = Make(WriteHash);
    private readonly RespWriter _payload = new();

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public long ReadStrings() => Read(_strings, restores: false);

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public long ReadHashes() => Read(_hashes, restores: false);

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public long ReadStringsForRestore() => Read(_strings, restores: true);

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public long ReadHashesForRestore() => Read(_hashes, restores: true);

    private long Read(byte[] file, bool restores)
    {
        var reader = new RdbReader(new MemoryStream(file));
        var bytes = 0L;
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            var entry = reader.Entry;
            bytes += entry.Key.Length + entry.Value.Length;
            if (!restores)
                continue;
            _payload.Clear();
            DumpPayload.WriteBulkString(_payload, entry.Type, entry.Value, version: 10);
        }

        return bytes;
    }

    private static byte[] Make(Action<MemoryStream, int> writeEntry)
    {
        var file = new MemoryStream(FileSize + 4096);
        file.Write("REDIS0010"u8);
        for (var number = 0; file.Length < FileSize; number++)
            writeEntry(file, number);
        file.Write([0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
        return file.ToArray();
    }

    private static void WriteString(MemoryStream file, int number)
    {
        Span<byte> value = stackalloc byte[100];
        value.Fill((byte)number);
        WriteKey(file, 0, number);
        file.Write([0x40, 100]);
        file.Write(value);
    }

    private static void WriteHash(MemoryStream file, int number)
    {
        const int Fields = 46;
        Span<byte> field = [0x8a, .. "0123456789"u8, 12];
        var length = 6 + (2 * Fields * 12) + 1;
        WriteKey(file, 16, number);
        file.Write([(byte)(0x40 | (length >> 8)), (byte)length]);
        Span<byte> header = stackalloc byte[6];
        BinaryPrimitives.WriteInt32LittleEndian(header, length);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2 * Fields);
        file.Write(header);
        for (var i = 0; i < 2 * Fields; i++)
            file.Write(field);
        file.WriteByte(0xff);
    }

    private static void WriteKey(MemoryStream file, byte type, int number)
    {
        Span<byte> digits = stackalloc byte[8];
        BinaryPrimitives.WriteInt32LittleEndian(digits, number);
        file.WriteByte(type);
        file.WriteByte((byte)(4 + digits.Length));
        file.Write("key:"u8);
        file.Write(digits);
    }
}
