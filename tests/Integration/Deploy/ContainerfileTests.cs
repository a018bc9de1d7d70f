using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>
/// The image's own commands, run without a registry of images: on the files that the build may see, in folders of the
/// test's.
/// </summary>
public sealed class ContainerfileTests : IDisposable
{
    // A release build of everything that the service needs, on a machine that does other things too.
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(15);

    private readonly string _root = Directory.CreateTempSubdirectory("redislatency-image-").FullName;

    // Compiles the product once more, in Release and ahead of time: a minute of both processors, in a step of CI.
    [Fact(Explicit = true)]
    public async Task Image_OfTheConsumer_HoldsAProgramThatStarts()
    {
        CopyContext();
        foreach (var command in LinesOf("RUN"))
        {
            var (code, output) = await Shell(command);
            code.ShouldBe(0, output);
        }

        var entry = LinesOf("ENTRYPOINT").ShouldHaveSingleItem().Trim('[', ']', '"');
        var started = await Shell($"{entry} --version");

        started.Code.ShouldBe(0, started.Output);
        started.Output.ShouldStartWith("RedisLatency ");
    }

    [Fact]
    public void Image_RunsAsNobodyInParticular()
    {
        var user = LinesOf("USER").ShouldHaveSingleItem();

        int.Parse(user, System.Globalization.CultureInfo.InvariantCulture).ShouldBeGreaterThan(0);
        LinesOf("COPY").ShouldContain(line => line.Contains($"--chown={user}:{user} /results", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static IEnumerable<string> LinesOf(string instruction) =>
        File.ReadLines(RepositoryRoot.Combine("deploy", "Containerfile"))
            .Where(line => line.StartsWith(instruction + ' ', StringComparison.Ordinal))
            .Select(line => line[(instruction.Length + 1)..]);

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
                var copy = Path.Combine(_root, "source", Path.GetRelativePath(RepositoryRoot.Combine("."), file));
                Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
                File.Copy(file, copy);
            }
        }
    }

    // In the image the working folder and the two others lie at the root. What it says goes into a file: the compiler's
    // server may live on, and would keep a pipe open.
    private async Task<(int Code, string Output)> Shell(string command)
    {
        var here = command.Replace(" /", $" {_root}/", StringComparison.Ordinal);
        here = here.StartsWith('/') ? _root + here : here;
        var log = Path.Combine(_root, "log");
        var start = new ProcessStartInfo("sh", ["-c", $"exec >\"$0\" 2>&1; {here}", log])
        {
            WorkingDirectory = Path.Combine(_root, "source"),
        };
        start.Environment["SERVICE"] = "Consumer";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["RunAnalyzers"] = "false";
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(LimitAgainstHangs);
        await process.WaitForExitAsync(limit.Token);
        return (process.ExitCode, await File.ReadAllTextAsync(log, limit.Token));
    }
}
