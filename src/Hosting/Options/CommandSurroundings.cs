using System.Collections;
using System.Reflection;

namespace RedisLatency.Hosting.Options;

/// <summary>What a program takes from the machine; tests give it their own.</summary>
public sealed record CommandSurroundings
{
    public required TextWriter Output { get; init; }
    public required TextWriter Error { get; init; }
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();
    public IReadOnlyList<SettingsFile> SettingsFiles { get; init; } = [];

    /// <summary>The console, the environment and the files of this process.</summary>
    public static CommandSurroundings OfProcess()
    {
        var environment = System.Environment.GetEnvironmentVariables()
            .Cast<DictionaryEntry>()
            .ToDictionary(entry => (string)entry.Key, entry => (string?)entry.Value ?? "");
        return new()
        {
            Output = Console.Out,
            Error = Console.Error,
            Environment = environment,
            SettingsFiles = SettingsFile.In(AppContext.BaseDirectory, Directory.GetCurrentDirectory(), environment),
        };
    }
}

/// <summary>The version of the suite.</summary>
public static class ProgramVersion
{
    public static string Text { get; } = typeof(ProgramVersion).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
}
