using RedisLatency.Redis.Psync;

namespace RedisLatency.Redis.Tests.Psync;

public sealed class ByteSpoolTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("spool").FullName;

    [Fact]
    public void Spool_OnTheDisk_IsItsOwnersAlone_AndHasNoName()
    {
        using var spool = new ByteSpool(new SpoolOptions { MemoryLimit = 4096, Folder = _folder });
        var bytes = new byte[100_000];
        Random.Shared.NextBytes(bytes);

        spool.Write(bytes).ShouldBe(bytes.Length);

        spool.OnDisk.ShouldBeGreaterThan(0);
        if (OperatingSystem.IsLinux())
        {
            Directory.EnumerateFileSystemEntries(_folder).ShouldBeEmpty();
            var open = Directory.EnumerateFiles("/proc/self/fd")
                .Where(file => new FileInfo(file).LinkTarget?.StartsWith(_folder, StringComparison.Ordinal) == true)
                .ShouldHaveSingleItem();
            File.GetUnixFileMode(open).ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        var read = new byte[bytes.Length];
        for (var done = 0; done < read.Length;)
            done += spool.Read(read.AsSpan(done), long.MaxValue, TestContext.Current.CancellationToken);
        read.ShouldBe(bytes);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
