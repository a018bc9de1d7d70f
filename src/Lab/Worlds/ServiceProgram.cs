namespace RedisLatency.Lab.Worlds;

/// <summary>A built service: a .dll, which dotnet runs, or a program.</summary>
internal sealed record ServiceProgram(string Path)
{
    /// <summary>The one that was built with the Lab, by its project: <c>Producer</c>.</summary>
    public static ServiceProgram Beside(string project) =>
        new(System.IO.Path.Combine(AppContext.BaseDirectory, $"RedisLatency.{project}.dll"));

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
