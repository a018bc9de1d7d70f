using System.Buffers.Binary;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>
/// Texts that a few bytes of a file unpack to: what is held of a file is a small multiple of --big-value. Processes have
/// a heap that is no larger, and end where that is not enough.
/// </summary>
public sealed class HostileTextTests
{
    private const int BigValue = (int)RdbReader.DefaultBigValue;
    private const int MostHeap = 6 * BigValue;

    [Theory]
    [InlineData("key", true, 5)]
    [InlineData("key", false, 5)]
    [InlineData("library", true, 5)]
    [InlineData("script", true, 5)]
    [InlineData("field", true, 4)]
    [InlineData("field", false, 4)]
    [InlineData("member", true, 4)]
    [InlineData("packed", true, 4)]
    public async Task Text_LongerThanBigValue_IsRefused(string kind, bool hasChecksum, int exitCode)
    {
        await using var process = Start(FileOf(kind, 512 << 20, hasChecksum));

        (await process.End()).ShouldBe(exitCode, process.ToString());
        string.Join(' ', process.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
            .ShouldContain($"a text of {512 << 20} bytes, of which at most {BigValue} are held (--big-value)");
    }

    [Theory]
    [InlineData("key")]
    [InlineData("library")]
    [InlineData("script")]
    [InlineData("field")]
    [InlineData("member")]
    [InlineData("name")]
    public async Task Text_AsLongAsBigValue_IsWritten(string kind)
    {
        await using var process = Start(FileOf(kind, BigValue, hasChecksum: false));

        (await process.End()).ShouldBe(0, process.ToString());
        new FileInfo(Path.Combine(process.Folder, "out")).Length.ShouldBeGreaterThan(BigValue);
    }

    [Theory]
    [InlineData("key")]
    [InlineData("field")]
    public async Task Text_AsLongAsBigValue_IsAtTheTarget(string kind)
    {
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        await using var process = Start(FileOf(kind, BigValue, hasChecksum: false), target.Uri);

        (await process.End()).ShouldBe(0, process.ToString());
        to.Execute("DBSIZE").Number.ShouldBe(1);
    }

    private static ServiceProcess Start(byte[] file, string? target = null)
    {
        var path = Path.GetTempFileName();
        File.WriteAllBytes(path, file);
        return ServiceProcess.StartShell(
            $"\"$PROGRAM\" rdb {path} {(target is null ? "--destination-file out" : $"--destination {target}")} "
                + $"--live none; code=$?; rm {path}; exit $code",
            new Dictionary<string, string> { ["DOTNET_GCHeapHardLimit"] = $"{MostHeap:x}" });
    }

    private static byte[] FileOf(string kind, int length, bool hasChecksum)
    {
        var text = Compressed(length);
        byte[] key = [1, (byte)'k'];
        byte[] one = [1, (byte)'v'];
        byte[] record = kind switch
        {
            "key" => [0, .. text, .. one],
            "library" => [0xf5, .. text],
            "script" => [0xfa, 3, .. "lua"u8, .. text],
            "field" => [4, .. key, 1, .. text, .. one],
            "member" => [2, .. key, 2, .. one, .. text],
            "packed" => [16, .. key, .. text],
            _ => [5, .. key, 1, .. text, .. BitConverter.GetBytes(1.0)],
        };
        byte[] file = [.. "REDIS0011"u8, .. record, 0xff];
        var whole = new byte[file.Length + sizeof(ulong)];
        file.CopyTo(whole, 0);
        // As a dump's, which covers all before it.
        if (hasChecksum)
            DumpPayload.Fill(whole, file[0], file.AsSpan(1..^2), BinaryPrimitives.ReadUInt16LittleEndian(file.AsSpan(^2..)));
        return whole;
    }

    // One letter, repeated by runs of 264 bytes, and literals at the end.
    private static byte[] Compressed(int plain)
    {
        var bytes = new List<byte> { 0, (byte)'a' };
        for (var i = 0; i < (plain - 1) / 264; i++)
            bytes.AddRange([0xe0, 0xff, 0]);
        for (var i = 0; i < (plain - 1) % 264; i++)
            bytes.AddRange([0, (byte)'a']);
        var lengths = new byte[10];
        lengths[0] = lengths[5] = 0x80;
        BinaryPrimitives.WriteInt32BigEndian(lengths.AsSpan(1), bytes.Count);
        BinaryPrimitives.WriteInt32BigEndian(lengths.AsSpan(6), plain);
        return [0xc3, .. lengths, .. bytes];
    }
}
