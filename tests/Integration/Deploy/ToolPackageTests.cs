using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The one program as it is handed out, away from this checkout.</summary>
public sealed class ToolPackageTests : IDisposable
{
    // A release build of everything, on a machine that does other things too.
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(10);

    private readonly string _root = Directory.CreateTempSubdirectory("redislatency-package-").FullName;

    // Compiles the product in Release: a step of CI.
    [Fact(Explicit = true)]
    public async Task Tool_InstalledFromALocalFolder_RunsInAnEmptyFolder()
    {
        await Run($"cd '{RepositoryRoot.Combine(".")}' && dotnet pack src/Tool -c Release -o '{_root}/feed' -v quiet");
        await Run("mkdir empty; cd empty; dotnet tool install RedisLatency --tool-path ../tools --source ../feed");

        var help = await Run("cd empty; ../tools/redis-latency producer -h");
        var result = await Run("cd empty; ../tools/redis-latency producer --duration 1s --rate 500 -q");
        var row = await Run("cd empty; ../tools/redis-latency lab selftest --short --only direct");

        help.ShouldContain("\n  redis-latency producer 10.0.0.5:6379\n");
        result.ShouldContain(" sent=500 returned=500 ");
        row.ShouldContain(" rows=1 pass=1 ");
    }

    // With what a native program asks of a Linux: libc, OpenSSL. The servers are outside, on the same loopback.
    [Fact(Explicit = true)]
    public async Task Archive_InARootWithoutDotnet_RunsTheFirstTenMinutesAndLua()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "chroot needs root.");
        ServerRequirement.Require("redis-server");
        var made = (await Run($"'{RepositoryRoot.Combine("deploy", "archives")}'")).Trim().Split('\n')[^1];
        await Run($"""
            set -e
            mkdir -p root/proc root/tmp root/etc
            tar -C root --strip-components 1 -xzf '{RepositoryRoot.Combine(made)}'
            of_openssl=$(ldconfig -p | grep -oE '/.*/lib(ssl|crypto)[.]so[.][0-9]+$')
            for file in $(ldd root/redis-latency root/*.so | grep -oP '\s\K/\S+') $of_openssl; do
                mkdir -p "root$(dirname "$file")" && cp -L "$file" "root$file"
            done
            echo '127.0.0.1 localhost' >root/etc/hosts
            printf '#!/bin/sh\nexec chroot {_root}/root /redis-latency "$@"\n' >in-root && chmod +x in-root
            printf '*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n' >root/one.aof
            """);

        var page = RepositoryRoot.Combine("docs", "first-ten-minutes");
        var said = await RunConfined($"""TOOL="$PWD/in-root" "{page}.sh" """);
        await RunConfined("""
            ./in-root aof one.aof --destination-file two.aof --function-code "shake.call(DB, ARGV)" &&
            cmp root/one.aof root/two.aof
            """);

        // For machines that have no checkout.
        File.Exists(Path.Combine(_root, "root", "systemd", "install")).ShouldBeTrue();
        Commands(said).ShouldBe(
            Commands(await File.ReadAllTextAsync($"{page}.md", TestContext.Current.CancellationToken)));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static IEnumerable<string> Commands(string page) =>
        page.Split('\n').Where(line => line.StartsWith("$ redis-latency ", StringComparison.Ordinal));

    // What it starts ends with it. Without single quotes.
    private Task<string> RunConfined(string command) => Run(
        "unshare --mount --pid --fork --kill-child --mount-proc bash -c "
            + $"'mount -t proc proc root/proc && {command}'");

    // A machine too busy for the schedule makes a run invalid (4), which is not the question here. What is said goes
    // into a file: the compiler's server may live on, and would keep a pipe open.
    private async Task<string> Run(string command)
    {
        var log = Path.Combine(_root, "log");
        var start = new ProcessStartInfo("bash", ["-c", $"exec >\"$0\" 2>&1; {command}", log])
        {
            WorkingDirectory = _root,
        };
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["RunAnalyzers"] = "false";
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(LimitAgainstHangs);
        await process.WaitForExitAsync(limit.Token);
        var said = await File.ReadAllTextAsync(log, limit.Token);
        process.ExitCode.ShouldBeOneOf([0, 4], said);
        return said;
    }
}
