using System.Diagnostics;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>
/// The image's own commands, run without a registry of images: on the files that the build may see, in folders of the
/// test's.
/// </summary>
public sealed partial class ContainerfileTests : IDisposable
{
    // A release build of everything that the service needs, on a machine that does other things too.
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(15);

    private const string Commit = "0123456789abcdef0123456789abcdef01234567";

    private readonly string _root = Directory.CreateTempSubdirectory("redislatency-image-").FullName;

    // Compiles the product once more, in Release: a minute of both processors, in a step of CI.
    [Fact(Explicit = true)]
    public async Task Image_OfTheTool_RunsAsNobodyInAReadOnlyRoot()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "A root that is read-only needs root.");
        CopyContext();
        await Shell("chmod 755 ..");
        await Build();
        (await Inside("--version")).ShouldContain($", commit {Commit[..12]}, ");
        foreach (var command in new[] { "producer", "consumer", "load", "replication", "lab", "show" })
            (await Inside($"{command} --help")).ShouldContain($"redis-latency {command}");

        var run = await Inside("producer --duration 1s --rate 500 -q");
        var shown = await Inside("show *");

        run.ShouldContain(" sent=500 returned=500 ");
        shown.ShouldContain("500");
        Directory.EnumerateFiles(Path.Combine(_root, "out"), "run.json", SearchOption.AllDirectories)
            .ShouldHaveSingleItem();
    }

    [Fact]
    public void Projects_OfTheToolAndNoOthers_AreRestoredBeforeSourcesAreCopied()
    {
        var before = Lines().TakeWhile(line => line != "COPY . .")
            .Where(line => line.Contains(".csproj", StringComparison.Ordinal)).Select(line => line.Split(' ')).ToArray();

        foreach (var words in before)
            words[2].ShouldBe(Path.GetDirectoryName(words[1]) + '/');
        before.Select(words => words[1]).ShouldBe(
            Directory.EnumerateFiles(RepositoryRoot.Combine("src"), "*.csproj", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(RepositoryRoot.Combine("."), file)),
            ignoreOrder: true);
    }

    [Fact]
    public void Version_OfTheImage_IsTheBuilds() =>
        File.ReadAllText(RepositoryRoot.Combine("Directory.Build.props"))
            .ShouldContain($"<Version>{LinesOf("ARG").Single(line => line.StartsWith("VERSION=")).Split('=')[1]}</Version>");

    [Fact]
    public void Image_RunsAsNobodyInParticular()
    {
        var user = LinesOf("USER").ShouldHaveSingleItem();

        int.Parse(user, System.Globalization.CultureInfo.InvariantCulture).ShouldBeGreaterThan(0);
        LinesOf("COPY").ShouldContain(line => line.Contains($"--chown={user}:{user} /out", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static IEnumerable<string> Lines() =>
        File.ReadLines(RepositoryRoot.Combine("deploy", "Containerfile"));

    private static IEnumerable<string> LinesOf(string instruction) => Lines()
        .Where(line => line.StartsWith(instruction + ' ', StringComparison.Ordinal))
        .Select(line => line[(instruction.Length + 1)..]);

    // In the file's order: files that are copied too late are missed.
    private async Task Build()
    {
        foreach (var line in Lines())
        {
            var words = line.Split(' ');
            var command = words switch
            {
                ["RUN", ..] => line["RUN ".Length..],
                ["COPY", "--from=build", _, _] => null,
                ["COPY", "--from=build", var owner, _, var to] => $"chown {owner.Split('=')[1]} {to}",
                ["COPY", .. var from, var to] =>
                    $"mkdir -p {to} && cp -R {string.Join(' ', from.Select(file => $"../context/{file}"))} {to}",
                _ => null,
            };
            if (command is not null)
                await Shell(command);
        }
    }

    // Nothing may be written but in the volume. Only the image's own variables are there.
    private Task<string> Inside(string arguments)
    {
        var entry = LinesOf("ENTRYPOINT").ShouldHaveSingleItem().Trim('[', ']', '"');
        var user = LinesOf("USER").ShouldHaveSingleItem();
        return Shell("cd ../out && unshare --mount sh -c '"
            + "mount --bind . . && mount -o remount,bind,ro / && cd \"$PWD\" && ! touch /tmp/any 2>/dev/null && "
            + $"exec env -i PATH=\"$PATH\" {LinesOf("ENV").ShouldHaveSingleItem().Split(' ', 2)[1]} "
            + $"setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs --bounding-set=-all "
            + $"{entry} {arguments}'");
    }

    private void CopyContext()
    {
        var allowed = File.ReadLines(RepositoryRoot.Combine("deploy", "Containerfile.dockerignore"))
            .Where(line => line.StartsWith('!')).Select(line => line[1..]);
        foreach (var name in allowed)
        {
            var source = RepositoryRoot.Combine(name);
            var files = Directory.Exists(source)
                ? Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories)
                    .Where(file => !file.Split('/').Any(part => part is "bin" or "obj"))
                : [source];
            foreach (var file in files)
            {
                var copy = Path.Combine(_root, "context", Path.GetRelativePath(RepositoryRoot.Combine("."), file));
                Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
                File.Copy(file, copy);
            }
        }
    }

    // In the image the working folder and the others lie at the root. What it says goes into a file: the compiler's
    // server may live on, and would keep a pipe open. A machine too busy for the schedule makes a run invalid (4).
    private async Task<string> Shell(string command)
    {
        var here = OwnFolder().Replace(command, $"{_root}$0");
        var log = Path.Combine(_root, "log");
        var start = new ProcessStartInfo("sh", ["-c", $"exec >\"$0\" 2>&1; {here}", log])
        {
            WorkingDirectory = Directory.CreateDirectory(Path.Combine(_root, "source")).FullName,
        };
        start.Environment["REVISION"] = Commit;
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["RunAnalyzers"] = "false";
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(LimitAgainstHangs);
        await process.WaitForExitAsync(limit.Token);
        var said = await File.ReadAllTextAsync(log, limit.Token);
        process.ExitCode.ShouldBeOneOf([0, 4], $"{here}\n{said}");
        return said;
    }

    [GeneratedRegex("(?<=[ =])/(tool|out)\\b")]
    private static partial Regex OwnFolder();
}
