using System.Collections.Concurrent;
using System.Diagnostics;

namespace RedisLatency.Fixtures;

/// <summary>
/// Finds the programs that tests start. A missing one skips the test on a user's machine, and fails it where
/// <c>REDISLATENCY_TEST_REQUIRE_SERVERS=1</c> says that everything must be there, as CI does.
/// </summary>
public static class ServerRequirement
{
    private const string Install = "apt-get install";

    private static readonly TimeSpan ProbeLimit = TimeSpan.FromSeconds(30);

    private static readonly KnownProgram[] Known =
    [
        .. File.ReadLines(RepositoryRoot.Combine("tests", "programs"))
            .Where(line => !line.StartsWith('#'))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(words => new KnownProgram(words[0], words[1].Split(','), words.Length > 2)),
    ];

    private static readonly ConcurrentDictionary<string, string?> Faults = new();

    /// <summary>The full path of a program on the PATH, or null.</summary>
    public static string? Find(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty)
        .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        .Select(folder => Path.Combine(folder, program))
        .FirstOrDefault(File.Exists);

    /// <summary>Whether missing programs are failures.</summary>
    public static bool IsStrict => Environment.GetEnvironmentVariable("REDISLATENCY_TEST_REQUIRE_SERVERS") == "1";

    /// <summary>Skips the test where a program is missing.</summary>
    /// <returns>Its full path.</returns>
    /// <exception cref="InvalidOperationException">It is missing where everything must be there.</exception>
    public static string Require(string program)
    {
        if (Find(program) is { } path)
            return path;
        Skip($"{program} is missing: {ToInstall(program)}.", IsOptional(program));
        return program;
    }

    /// <summary>Skips the test where a server program is missing, or does not even print its version.</summary>
    /// <returns>Its full path.</returns>
    /// <exception cref="InvalidOperationException">So it is where everything must be there.</exception>
    public static string RequireServer(string program)
    {
        var path = Require(program);
        if (Faults.GetOrAdd(path, Probe) is { } fault)
        {
            Skip(
                $"{path} does not start ({fault}): put another first in PATH, or "
                + $"{Install} --reinstall {PackagesOf(Path.GetFileName(program))}.",
                isOptional: false);
        }

        return path;
    }

    /// <summary>
    /// Skips the test where no server of a version, as <c>redis-6.0</c>, is unpacked in the folder of
    /// <c>REDISLATENCY_TEST_SERVERS</c>.
    /// </summary>
    /// <returns>The full path of its program.</returns>
    /// <exception cref="InvalidOperationException">It is missing where everything must be there.</exception>
    public static string RequireUnpacked(string version)
    {
        var folder = Environment.GetEnvironmentVariable("REDISLATENCY_TEST_SERVERS");
        if (folder is not null && Directory.Exists(folder)
            && Directory.EnumerateDirectories(folder, $"{version}*").FirstOrDefault() is { } found)
        {
            return RequireServer(Path.Combine(found, "bin", $"{version.Split('-')[0]}-server"));
        }

        Skip(
            $"{version} is not unpacked: tests/servers FOLDER, and REDISLATENCY_TEST_SERVERS=FOLDER.",
            isOptional: false);
        return version;
    }

    /// <summary>Skips the test where a file is missing that a package manager brings, of whatever machine.</summary>
    /// <returns>Its path.</returns>
    public static string RequireFile(string? path, string how)
    {
        if (path is not null && File.Exists(path))
            return path;
        Skip($"{path ?? "a program for this kind of machine"} is missing: {how}.", isOptional: true);
        return string.Empty;
    }

    /// <summary>Skips the test where this machine does not let its users have time namespaces.</summary>
    /// <exception cref="InvalidOperationException">It does not where everything must be there.</exception>
    public static void RequireTimeNamespaces()
    {
        using var attempt = Process.Start(
            new ProcessStartInfo(
                Require("unshare"), ["--time", "--monotonic", "1", "--fork", "--kill-child", "true"])
            {
                RedirectStandardError = true,
            })!;
        attempt.WaitForExit();
        if (attempt.ExitCode != 0)
            Skip("this machine does not let us unshare a time namespace.", isOptional: false);
    }

    /// <summary>Whether a test was skipped for a program, and not for the kind of machine.</summary>
    public static bool IsAboutProgram(string reason) => reason.Contains(Install, StringComparison.Ordinal);

    /// <summary>What to install for the tests that were skipped; as a file's name, which a slash may not be in.</summary>
    public static string Advice()
    {
        var broken = Known.Where(one => one.Name.EndsWith("-server", StringComparison.Ordinal))
            .Where(one => Find(one.Name) is { } path && Faults.GetOrAdd(path, Probe) is not null);
        var missing = Known.Where(one => Find(one.Name) is null);
        var packages = broken.Concat(missing).SelectMany(one => one.Packages).Distinct();
        return "Tests were skipped for programs that are missing or do not start - "
            + $"{Install} {(broken.Any() ? "--reinstall " : string.Empty)}{string.Join(' ', packages)} "
            + "- or run the script test";
    }

    private static string ToInstall(string program) =>
        $"{Install} {PackagesOf(program)}, or run ./test";

    private static string PackagesOf(string program) =>
        string.Join(' ', Known.FirstOrDefault(one => one.Name == program)?.Packages ?? [program]);

    private static bool IsOptional(string program) => Known.Any(one => one.Name == program && one.IsOptional);

    // What xunit takes for a skipped test, whoever throws it: but for InitializeAsync of a fixture, which fails.
    private static void Skip(string reason, bool isOptional) => throw new InvalidOperationException(
        IsStrict && !isOptional ? reason : $"$XunitDynamicSkip${reason}");

    private static string? Probe(string path)
    {
        using var process = Process.Start(
            new ProcessStartInfo(path, "--version") { RedirectStandardOutput = true, RedirectStandardError = true })!;
        if (process.WaitForExit(ProbeLimit))
            return process.ExitCode == 0 ? null : $"--version ends with exit code {process.ExitCode}";
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
        return $"--version takes longer than {ProbeLimit.TotalSeconds} s";
    }

    private sealed record KnownProgram(string Name, string[] Packages, bool IsOptional);
}
