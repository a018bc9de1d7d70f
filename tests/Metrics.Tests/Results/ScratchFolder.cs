namespace RedisLatency.Metrics.Tests.Results;

/// <summary>A folder that is gone after the test.</summary>
internal sealed class ScratchFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("redislatency-results-").FullName;

    public string Combine(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
