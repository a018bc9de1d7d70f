namespace RedisLatency.Lab.Worlds;

/// <summary>A built service: a .dll, which dotnet runs, or a program.</summary>
/// <param name="Path">Where it is.</param>
internal sealed record ServiceProgram(string Path)
{
    /// <summary>The one that was built with the Lab.</summary>
    /// <param name="project">Its project: <c>Producer</c>.</param>
    public static ServiceProgram Beside(string project) =>
        new(System.IO.Path.Combine(AppContext.BaseDirectory, $"RedisLatency.{project}.dll"));

    /// <summary>What is typed to run it.</summary>
    public IEnumerable<string> Command(IEnumerable<string> arguments) =>
        Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? [DotnetPath(), Path, .. arguments]
            : [Path, .. arguments];

    // The one that runs the Lab, where that is dotnet itself and not the Lab's own host.
    private static string DotnetPath() =>
        Environment.ProcessPath is { } path && System.IO.Path.GetFileNameWithoutExtension(path) == "dotnet"
            ? path
            : "dotnet";
}
