using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.Tests.Options;

/// <summary>Two folders of its own, in place of the program's and the current one.</summary>
internal sealed class SettingsFolders : IDisposable
{
    private readonly DirectoryInfo _program = Directory.CreateTempSubdirectory("redislatency-");
    private readonly DirectoryInfo _here = Directory.CreateTempSubdirectory("redislatency-");

    public IReadOnlyList<SettingsFile> Files => In(new Dictionary<string, string>());

    public IReadOnlyList<SettingsFile> In(IReadOnlyDictionary<string, string> environment) =>
        SettingsFile.In(_program.FullName, _here.FullName, environment);

    public void WriteBesideProgram(string json) => File.WriteAllText(Files[0].Path, json);

    public void WriteHere(string json) => File.WriteAllText(Files[1].Path, json);

    public void WriteHere(string fileName, string json) =>
        File.WriteAllText(Path.Combine(_here.FullName, fileName), json);

    public void Dispose()
    {
        _program.Delete(recursive: true);
        _here.Delete(recursive: true);
    }
}
