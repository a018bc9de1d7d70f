using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>
/// The services as they were built, with one mistake at a time: the compiler is called for the project that holds it,
/// with the arguments that its build has, and one file in another place. The checkout is never changed.
/// </summary>
public sealed class MutantWorkshop : IDisposable
{
    private static readonly string[] ArgumentsOfBuild =
    [
        "--no-restore", "--no-dependencies", "-t:Compile", "-p:SkipCompilerExecution=true",
        "-p:ProvideCommandLineArgs=true", "-p:NonExistentFile=none", "-p:RunAnalyzers=false", "-nodeReuse:false",
        "-getItem:CscCommandLineArgs", "-getProperty:RoslynTargetsPath",
    ];

    // What the build itself made of the source, and those who judge its style.
    private static readonly string[] Dropped = ["/out:", "/refout:", "/doc:", "/noconfig", "/warnaserror"];
    private static readonly string[] Judges = ["NetAnalyzers", "CodeStyle", "BannedApi"];

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-mutants-").FullName;
    private readonly SemaphoreSlim _bench = new(1);
    private readonly ConcurrentDictionary<string, (string Compiler, string[] Arguments)> _compilations = [];
    private int _made;

    /// <inheritdoc/>
    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _bench.Dispose();
    }

    /// <summary>The services with one mistake.</summary>
    /// <returns>The folder of their programs.</returns>
    internal async Task<string> Make(Mutation mutation)
    {
        var file = Path.Combine(RepositoryRoot.Path, "src", mutation.File);
        var original = await File.ReadAllTextAsync(file);
        original.Split(mutation.Text).Length.ShouldBe(2, $"{mutation.File} must say exactly once: {mutation.Text}");

        // One at a time: the compiler takes all processors.
        await _bench.WaitAsync();
        try
        {
            var programs = Path.Combine(_folder, $"mutant-{_made++}");
            Copy(Path.GetDirectoryName(BuiltProgram.AssemblyOf("Lab"))!, programs);
            var mistaken = programs + ".cs";
            await File.WriteAllTextAsync(
                mistaken, original.Replace(mutation.Text, mutation.Mistake, StringComparison.Ordinal));
            await Compile(mutation.Project, file, mistaken, programs);
            return programs;
        }
        finally
        {
            _bench.Release();
        }
    }

    private async Task Compile(string project, string file, string mistaken, string programs)
    {
        if (!_compilations.TryGetValue(project, out var compilation))
            _compilations[project] = compilation = await CompilationOf(project);
        var arguments = compilation.Arguments.Select(word => IsFile(word, project, file) ? mistaken : word);
        var response = programs + ".rsp";
        await File.WriteAllLinesAsync(response,
            [.. arguments.Select(Quoted), Quoted($"/out:{Path.Combine(programs, $"RedisLatency.{project}.dll")}")]);
        // A server of its own, which ends by itself: a new compiler spends most of its time on compiling itself. It has
        // a socket in /tmp, where the folder may be, too.
        await Run(
            project, compilation.Compiler, $"/shared:{Path.GetFileName(_folder)}-compiler", "/keepalive:60",
            "/noconfig", "/nologo", $"@{response}");
    }

    private static async Task<(string Compiler, string[] Arguments)> CompilationOf(string project)
    {
        var printed = await Run(project, "build", ArgumentsOfBuild);
        using var document = JsonDocument.Parse(printed);
        var roslyn = document.RootElement.GetProperty("Properties").GetProperty("RoslynTargetsPath").GetString()!;
        var arguments = document.RootElement.GetProperty("Items").GetProperty("CscCommandLineArgs").EnumerateArray()
            .Select(item => item.GetProperty("Identity").GetString()!)
            .Where(word => !Array.Exists(Dropped, start => word.StartsWith(start, StringComparison.Ordinal)))
            .Where(word => !word.StartsWith("/analyzer:", StringComparison.Ordinal)
                || !Array.Exists(Judges, judge => word.Contains(judge, StringComparison.Ordinal)));
        return (Path.Combine(roslyn, "bincore", "csc.dll"), [.. arguments]);
    }

    private static bool IsFile(string word, string project, string file) =>
        Path.GetFullPath(word, FolderOf(project)) == file;

    private static string FolderOf(string project) => Path.Combine(RepositoryRoot.Path, "src", project);

    private static string Quoted(string word) => word.Contains(' ') ? $"\"{word}\"" : word;

    private static async Task<string> Run(string project, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [program, .. arguments])
        {
            WorkingDirectory = FolderOf(project),
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        process.ExitCode.ShouldBe(0, printed);
        return printed;
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        foreach (var folder in Directory.EnumerateDirectories(from))
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
    }
}
