using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Benchmarks;

/// <summary>
/// <c>benchmarks/workloads/compare</c> with programs in place of the engine and of what it is compared with, so that
/// what they cost is known.
/// </summary>
internal sealed class ComparisonRun : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("compare-");

    /// <summary>Skips the test where Python or the server is missing.</summary>
    public ComparisonRun()
    {
        ServerRequirement.Require("python3");
        ServerRequirement.Require("redis-server");
    }

    /// <summary>A program of one's own, in a new file.</summary>
    /// <returns>Its path.</returns>
    public string Write(string name, string text)
    {
        var path = Path.Combine(_folder.FullName, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return path;
    }

    /// <summary>An engine that answers every line; with two threads an operation takes so many times as long.</summary>
    public string WriteEngine(string costOfTwoThreads) => Write(
        "EngineRun",
        $$"""
        #!/usr/bin/env python3
        import sys
        for line in iter(sys.stdin.readline, ""):
            given = dict(word.split("=", 1) for word in line.split())
            cost = {{costOfTwoThreads}} if given.get("threads") == "2" else 1
            print(f"loop=none ops=1000 seconds=0.01 cpu_us={cost} compiling_share=0", flush=True)
        """);

    /// <summary>Runs the comparison to its end.</summary>
    public async Task<(int ExitCode, string Output, string Errors)> Run(params string[] arguments)
    {
        string[] line = [RepositoryRoot.Combine("benchmarks", "workloads", "compare"), .. arguments];
        using var process = Process.Start(
            new ProcessStartInfo("python3", line) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(ServiceProcess.LimitAgainstHangs);
        return (process.ExitCode, await output, await errors);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
