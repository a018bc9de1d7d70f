namespace RedisLatency.Hosting.Tests.Options;

/// <summary>A folder of its own, for a file of settings.</summary>
internal sealed class SettingsFolders : IDisposable
{
    private readonly DirectoryInfo _here = Directory.CreateTempSubdirectory("redislatency-");

    public string File => Path.Combine(_here.FullName, "settings.json");

    public void Write(string json) => System.IO.File.WriteAllText(File, json);

    public void Dispose() => _here.Delete(recursive: true);
}
