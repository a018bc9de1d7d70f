using System.Diagnostics;

namespace RedisLatency.Fixtures;

/// <summary>
/// Finds the programs that tests need. A missing one skips the test on a user's machine and fails it where
/// <c>REDISLATENCY_TEST_REQUIRE_SERVERS=1</c> says that everything must be there, as CI does; only
/// <c>valkey-server</c> may still be missing, because not every distribution has it.
/// </summary>
public static class ServerRequirement
{
    /// <summary>The full path of a program on the PATH, or null.</summary>
    public static string? Find(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty)
        .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        .Select(folder => Path.Combine(folder, program))
        .FirstOrDefault(File.Exists);

    /// <summary>Whether missing programs are failures.</summary>
    public static bool IsStrict => Environment.GetEnvironmentVariable("REDISLATENCY_TEST_REQUIRE_SERVERS") == "1";

    /// <summary>
    /// The reason to skip: hand it to <c>Assert.SkipWhen(reason is not null, reason)</c>, as the tests' base does.
    /// </summary>
    /// <exception cref="InvalidOperationException">It is missing where everything must be there.</exception>
    public static string? ReasonToSkip(string program)
    {
        if (Find(program) is not null)
            return null;
        var reason = $"{program} is not on the PATH (on Debian: apt-get install {PackageOf(program)}).";
        return IsStrict && program != "valkey-server" ? throw new InvalidOperationException(reason) : reason;
    }

    /// <summary>The reason to skip where this machine does not let its users have time namespaces.</summary>
    /// <exception cref="InvalidOperationException">It does not where everything must be there.</exception>
    public static string? ReasonToSkipTimeNamespaces()
    {
        if (ReasonToSkip("unshare") is { } missing)
            return missing;
        using var attempt = Process.Start(
            new ProcessStartInfo("unshare", ["--time", "--monotonic", "1", "--fork", "--kill-child", "true"])
            {
                RedirectStandardError = true,
            })!;
        attempt.WaitForExit();
        if (attempt.ExitCode == 0)
            return null;
        const string Reason = "this machine does not let us unshare a time namespace.";
        return IsStrict ? throw new InvalidOperationException(Reason) : Reason;
    }

    private static string PackageOf(string program) => program switch
    {
        "redis-cli" or "redis-benchmark" => "redis-tools",
        "unshare" => "util-linux",
        _ => program,
    };
}
