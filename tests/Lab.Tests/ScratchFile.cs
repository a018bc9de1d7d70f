namespace RedisLatency.Lab.Tests;

/// <summary>A file with this text, gone after the test.</summary>
internal sealed class ScratchFile : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-lab-").FullName;

    public ScratchFile(params string[] lines)
    {
        FullPath = Path.Combine(_folder, "file");
        File.WriteAllLines(FullPath, lines);
    }

    public string FullPath { get; }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
