using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>A copy of the templates of clouds, with mistakes in it, or to write beside them.</summary>
internal sealed class DeployCopy : IDisposable
{
    public DeployCopy()
    {
        foreach (var part in new[] { "azure", "aws", "clouds" })
        {
            Directory.CreateDirectory(Path.Combine(Folder, part));
            foreach (var file in Directory.EnumerateFiles(RepositoryRoot.Combine("deploy", part)))
                File.Copy(file, Path.Combine(Folder, part, Path.GetFileName(file)));
        }
    }

    public string Folder { get; } = Directory.CreateTempSubdirectory("redislatency-clouds-").FullName;

    public void Alter(string file, string right, string wrong)
    {
        var path = Path.Combine(Folder, file);
        var text = File.ReadAllText(path);
        text.ShouldContain(right);
        File.WriteAllText(path, text.Replace(right, wrong, StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
