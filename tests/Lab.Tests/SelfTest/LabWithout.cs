using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>The built Lab in a folder of its own, one file of it left out.</summary>
internal sealed class LabWithout : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-lab-").FullName;

    public LabWithout(string missing)
    {
        var built = BuiltProgram.AssemblyOf("Lab");
        Program = Path.Combine(_folder, Path.GetFileName(built));
        foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(built)!))
        {
            if (Path.GetFileName(file) != missing)
                File.Copy(file, Path.Combine(_folder, Path.GetFileName(file)));
        }
    }

    public string Program { get; }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
