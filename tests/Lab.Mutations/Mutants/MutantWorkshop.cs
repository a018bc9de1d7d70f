using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>
/// A copy of the product's source, built once as it is; then with one mistake at a time, of which only the project
/// that holds it is compiled anew. The checkout is never changed.
/// </summary>
public sealed class MutantWorkshop : IAsyncLifetime
{
    // A mistake may leave something unused; the copy's form is of no interest.
    private static readonly string[] BuildOptions =
    [
        "--configuration", Configuration, "--verbosity", "quiet", "--nologo", "-m:1", "-nodeReuse:false",
        "-p:TreatWarningsAsErrors=false", "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false",
        "-p:GenerateDocumentationFile=false",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-mutants-").FullName;
    private readonly SemaphoreSlim _bench = new(1);
    private int _made;

    private const string Configuration = "Debug";

    /// <summary>The folder of the services as they are, made in the same way as the mutants.</summary>
    public string Unmutated { get; private set; } = string.Empty;

    /// <summary>Copies and builds the source as it is.</summary>
    public async ValueTask InitializeAsync()
    {
        var root = RepositoryRoot.Path;
        Copy(Path.Combine(root, "src"), InFolder("src"));
        foreach (var file in Directory.EnumerateFiles(root).Where(DescribesBuild))
            File.Copy(file, InFolder(Path.GetFileName(file)));
        await Build("Producer");
        // Later builds leave their mistakes among the built assemblies.
        Unmutated = Assemble(["Metrics", "Redis", "Server", "Messaging", "Hosting", "Producer"]);
    }

    /// <summary>The services with one mistake.</summary>
    /// <returns>The folder of their programs.</returns>
    internal async Task<string> Make(Mutation mutation)
    {
        await _bench.WaitAsync();
        try
        {
            var file = InFolder(Path.Combine("src", mutation.File));
            var original = await File.ReadAllTextAsync(file);
            original.Split(mutation.Text).Length.ShouldBe(2, $"{mutation.File} must say exactly once: {mutation.Text}");
            var mistaken = original.Replace(mutation.Text, mutation.Mistake, StringComparison.Ordinal);
            await File.WriteAllTextAsync(file, mistaken);
            try
            {
                await Build(mutation.Project, "--no-restore", "--no-dependencies");
                return Assemble([mutation.Project]);
            }
            finally
            {
                await File.WriteAllTextAsync(file, original);
            }
        }
        finally
        {
            _bench.Release();
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        _bench.Dispose();
        return ValueTask.CompletedTask;
    }

    private static bool DescribesBuild(string file) =>
        Path.GetFileName(file) is "global.json" or "nuget.config" or "NuGet.config" or "BannedSymbols.txt"
            || Path.GetFileName(file).StartsWith("Directory.", StringComparison.Ordinal);

    /// <summary>The built services, some of their assemblies replaced by those that were made here.</summary>
    private string Assemble(IEnumerable<string> made)
    {
        var programs = InFolder($"mutant-{_made++}");
        Copy(Path.GetDirectoryName(ServiceProcess.ProgramOf("Lab"))!, programs);
        foreach (var project in made)
        {
            var assembly = $"RedisLatency.{project}.dll";
            File.Copy(
                InFolder(Path.Combine("artifacts", "bin", project, "debug", assembly)),
                Path.Combine(programs, assembly),
                overwrite: true);
        }

        return programs;
    }

    // What it says goes into a file: the compiler's server lives on, and would keep a pipe open.
    private async Task Build(string project, params string[] options)
    {
        var log = InFolder("build.log");
        string[] words = ["build", InFolder(Path.Combine("src", project)), .. BuildOptions, .. options];
        const string script = "log=$1; shift; exec dotnet \"$@\" >\"$log\" 2>&1";
        var start = new ProcessStartInfo("sh", ["-c", script, "sh", log, .. words])
        {
            WorkingDirectory = _folder,
        };
        using var process = Process.Start(start)!;
        await process.WaitForExitAsync();
        process.ExitCode.ShouldBe(0, await File.ReadAllTextAsync(log));
    }

    private string InFolder(string path) => Path.Combine(_folder, path);

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        foreach (var folder in Directory.EnumerateDirectories(from))
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
    }
}
