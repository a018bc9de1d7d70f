namespace RedisLatency.Hosting.Options.Settings;

/// <summary>A JSON file that may hold settings; it need not exist.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Name">How messages and results name it: never a path, which would tell of the machine.</param>
public sealed record SettingsFile(string Path, string Name)
{
    private const string FileName = "appsettings.json";

    /// <summary>The files that every program reads, the stronger one last.</summary>
    /// <param name="programFolder">The folder of the program.</param>
    /// <param name="currentFolder">The folder in which it was started.</param>
    public static IReadOnlyList<SettingsFile> In(string programFolder, string currentFolder)
    {
        var beside = System.IO.Path.GetFullPath(System.IO.Path.Combine(programFolder, FileName));
        var here = System.IO.Path.GetFullPath(System.IO.Path.Combine(currentFolder, FileName));
        return beside == here
            ? [new(here, FileName)]
            : [new(beside, $"{FileName} beside the program"), new(here, FileName)];
    }
}
