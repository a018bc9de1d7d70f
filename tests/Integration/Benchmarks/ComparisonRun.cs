using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Benchmarks;

/// <summary>
/// A script of <c>benchmarks</c> with programs in place of the product and of what it is compared with, so that what
/// they cost is known.
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

    /// <summary>
    /// A product whose every run tells the same; with two threads, or with <c>--otlp</c>, an operation takes so many
    /// times as long. It pushes as often as is said.
    /// </summary>
    public string WriteProduct(string cost, int pushes = 0) => Write(
        "redis-latency",
        $$"""
        #!/usr/bin/env python3
        import json, sys, urllib.request
        words = sys.argv
        cost = {{cost}} if "--threads 2" in " ".join(words) or "--otlp" in words else 1
        if "--otlp" in words:
            for _ in range({{pushes}}):
                urllib.request.urlopen(words[words.index("--otlp") + 1] + "/v1/metrics", data=b"metrics").read()
        metrics = {"cpu-per-operation": 1000 * cost, "throughput": 100_000, "busy": 0.5 * cost, "errors": 0, "lost": 0}
        print(json.dumps({"metrics": metrics}))
        """);

    /// <summary>Runs a comparison to its end.</summary>
    public async Task<(int ExitCode, string Output, string Errors)> Run(string folder, params string[] arguments)
    {
        string[] line = [RepositoryRoot.Combine("benchmarks", folder, "compare"), .. arguments];
        using var process = Process.Start(
            new ProcessStartInfo("python3", line) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(ServiceProcess.LimitAgainstHangs);
        return (process.ExitCode, await output, await errors);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
