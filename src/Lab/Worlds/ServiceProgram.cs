using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Lab.Worlds;

/// <summary>
/// A built service: a .dll, which dotnet runs, or a program, with the word that makes a service of it.
/// </summary>
internal sealed record ServiceProgram(string Path, string? Verb = null)
{
    /// <summary>
    /// A service by its project, <c>Producer</c>: a verb of this program, or what was built with the Lab.
    /// </summary>
    public static ServiceProgram Of(string project) =>
        ProgramName.IsTool
            ? new(Environment.ProcessPath!, Spelling.KebabOf(project))
            : new(System.IO.Path.Combine(AppContext.BaseDirectory, $"RedisLatency.{project}.dll"));

    public IEnumerable<string> Command(IEnumerable<string> arguments) =>
        Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? [DotnetPath(), Path, .. arguments]
            : Verb is null ? [Path, .. arguments] : [Path, Verb, .. arguments];

    // The one that runs the Lab, where that is dotnet itself and not the Lab's own host.
    private static string DotnetPath() =>
        Environment.ProcessPath is { } path && System.IO.Path.GetFileNameWithoutExtension(path) == "dotnet"
            ? path
            : "dotnet";
}
