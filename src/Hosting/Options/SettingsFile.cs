namespace RedisLatency.Hosting.Options;

/// <summary>A JSON file that may hold settings; it need not exist.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Name">How messages and results name it: never a path, which would tell of the machine.</param>
public sealed record SettingsFile(string Path, string Name)
{
    /// <summary>
    /// The environment variables that name the environment, the stronger one first, as .NET has them.
    /// </summary>
    private static readonly string[] EnvironmentVariables = ["DOTNET_ENVIRONMENT", "ASPNETCORE_ENVIRONMENT"];

    /// <summary>The files that every program reads, the stronger one last.</summary>
    /// <param name="programFolder">The folder of the program.</param>
    /// <param name="currentFolder">The folder in which it was started.</param>
    /// <param name="environment">The environment variables: they say which environment's file is read besides.</param>
    public static IReadOnlyList<SettingsFile> In(
        string programFolder, string currentFolder, IReadOnlyDictionary<string, string> environment)
    {
        var name = EnvironmentVariables.Select(environment.GetValueOrDefault)
            .FirstOrDefault(value => !string.IsNullOrWhiteSpace(value)) ?? "Production";
        return [.. Named("appsettings.json"), .. Named($"appsettings.{name.Trim()}.json")];

        IEnumerable<SettingsFile> Named(string fileName)
        {
            var beside = System.IO.Path.GetFullPath(System.IO.Path.Combine(programFolder, fileName));
            var here = System.IO.Path.GetFullPath(System.IO.Path.Combine(currentFolder, fileName));
            return beside == here
                ? [new(here, fileName)]
                : [new(beside, $"{fileName} beside the program"), new(here, fileName)];
        }
    }
}
