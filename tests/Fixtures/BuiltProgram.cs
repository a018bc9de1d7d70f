namespace RedisLatency.Fixtures;

/// <summary>
/// The program <c>redis-latency</c> whose verbs tests run: the native one that <c>./test</c> makes, where nothing was
/// built since; else the one that <c>dotnet build</c> made, which does the same and takes longer to start.
/// </summary>
/// <remarks>A test project that runs it references <c>src/Tool</c>, so that it is built before the test runs.</remarks>
public static class BuiltProgram
{
    private const string Name = "redis-latency";

    /// <summary>Its full path.</summary>
    public static string Path { get; } = Find();

    /// <summary>Whether it is the native one.</summary>
    public static bool IsNative => Path == Native;

    private static string Native => RepositoryRoot.Combine("artifacts", "native", Name);

    // In which configuration the tests were built.
    private static string Configuration =>
        System.IO.Path.GetFileName(System.IO.Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    /// <summary>What stands for a service on its command line.</summary>
    /// <param name="project">The folder below <c>src</c>: <c>Workloads</c>, whose verb is <c>load</c>.</param>
    public static string[] VerbOf(string project) => project switch
    {
        "Tool" or "Sync" => [],
        "Workloads" => ["load"],
        _ => [project.ToLowerInvariant()],
    };

    /// <summary>What its texts say to type for a service.</summary>
    public static string TypedFor(string project) =>
        string.Join(' ', [IsNative ? Name : "dotnet run -c Release --project src/Tool --", .. VerbOf(project)]);

    /// <summary>The program of one project as <c>dotnet build</c> made it, for <c>dotnet</c> to run.</summary>
    public static string AssemblyOf(string project) => Built(project, $"RedisLatency.{project}.dll");

    private static string Find()
    {
        var built = Built("Tool", Name);
        var newest = Directory.EnumerateFiles(System.IO.Path.GetDirectoryName(built)!, "*.dll")
            .Max(File.GetLastWriteTimeUtc);
        if (File.Exists(Native) && File.GetLastWriteTimeUtc(Native) >= newest)
            return Native;
        return ServerRequirement.IsStrict
            ? throw new InvalidOperationException($"{Native} is missing or older than what was built: run ./test.")
            : built;
    }

    private static string Built(string project, string file)
    {
        var path = RepositoryRoot.Combine("artifacts", "bin", project, Configuration, file);
        return File.Exists(path)
            ? path
            : throw new InvalidOperationException($"{path} is not there: build src/{project} first.");
    }
}
