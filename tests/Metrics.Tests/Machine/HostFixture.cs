namespace RedisLatency.Metrics.Tests.Machine;

/// <summary>A folder that looks like the root of a host's file system, as far as a test says.</summary>
internal sealed class HostFixture : IDisposable
{
    public string Root { get; } = Directory.CreateTempSubdirectory("redislatency-host-").FullName;

    public HostFixture With(string path, string content)
    {
        var file = Path.Combine(Root, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, content + "\n");
        return this;
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
