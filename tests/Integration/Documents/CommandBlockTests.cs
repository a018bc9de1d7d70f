using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Documents;

/// <summary>The commands of README.md and docs/*.md do what they say, in a fresh clone (<c>terminal</c>).</summary>
public sealed partial class CommandBlockTests
{
    private const string Fence = "```";

    // Why a block is not run. What takes minutes is a step of .ci/run; the rest has tests of its own in Deploy.
    private static readonly string[] Reasons =
    [
        "a second machine", "a cloud", "a container engine", "an installation", "HdrHistogram.jar", "minutes", "systemd",
    ];

    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(10);

    // They wait more than they compute, each in a network of its own.
    private static readonly int AtOnce = Environment.ProcessorCount * 3;

    // Minutes in all: a step of CI.
    [Fact(Explicit = true)]
    public async Task Blocks_DoWhatTheySay()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "unshare needs root.");
        ServerRequirement.Require("redis-server");
        var wrong = new ConcurrentBag<string>();
        var shapes = new ConcurrentDictionary<Block, IReadOnlyList<string>>();

        await Parallel.ForEachAsync(
            All().Where(block => block.Needs is null),
            new ParallelOptions
            {
                MaxDegreeOfParallelism = AtOnce,
                CancellationToken = TestContext.Current.CancellationToken,
            },
            async (block, cancellation) =>
            {
                if (await Run(block, shapes, cancellation) is { } problem)
                    wrong.Add($"{block.At}\n{block.Commands}\n{problem}");
            });

        string.Join("\n\n", wrong.Order(StringComparer.Ordinal)).ShouldBeEmpty();
        foreach (var document in shapes.GroupBy(block => block.Key.At.Split(':')[0]))
        {
            wrong.Add(await RecordedShapes.DifferenceOf(
                document.Key, document.Select(block => (block.Key.Commands, block.Value))));
        }

        string.Concat(wrong.Order(StringComparer.Ordinal)).ShouldBeEmpty();
    }

    [Fact]
    public void Blocks_ThatAreNotRun_SayAReasonThatIsKnown()
    {
        var left = All().Where(block => block.Needs is not null).ToList();

        left.ShouldAllBe(block => Reasons.Contains(block.Needs));
        Reasons.ShouldAllBe(reason => left.Any(block => block.Needs == reason));
        left.Count.ShouldBeLessThan(All().Count() - left.Count, "More blocks are left out than run.");
    }

    // What went wrong with it, or null.
    private static async Task<string?> Run(
        Block block, ConcurrentDictionary<Block, IReadOnlyList<string>> shapes, CancellationToken cancellation)
    {
        var kept = Directory.CreateTempSubdirectory("redislatency-block-").FullName;
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, block.Commands, cancellation);
            var terminal = RepositoryRoot.Combine("tests", "Integration", "Documents", "terminal");
            List<string> arguments = [terminal, RepositoryRoot.Path, BuiltProgram.Path, file, kept];
            arguments.AddRange(block.IsUntil ? ["until"] : []);
            using var process = Process.Start(
                new ProcessStartInfo("bash", arguments) { RedirectStandardOutput = true })!;
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            limit.CancelAfter(LimitAgainstHangs);
            var said = await process.StandardOutput.ReadToEndAsync(limit.Token);
            await process.WaitForExitAsync(limit.Token);
            if (process.ExitCode != 0)
                return $"exit code {process.ExitCode}\n{said}";
            shapes[block] = [.. SavedShape.Of(kept)];
            return null;
        }
        finally
        {
            File.Delete(file);
            Directory.Delete(kept, recursive: true);
        }
    }

    private static IEnumerable<Block> All() =>
        from file in Directory.EnumerateFiles(RepositoryRoot.Combine("docs"), "*.md").Order(StringComparer.Ordinal)
            .Prepend(RepositoryRoot.Combine("README.md"))
        let text = File.ReadAllText(file)
        from match in BlockOfCommands().Matches(text)
        let line = text.AsSpan(0, match.Groups["commands"].Index).Count('\n').ToString(CultureInfo.InvariantCulture)
        select new Block(
            $"{Path.GetRelativePath(RepositoryRoot.Path, file)}:{line}",
            match.Groups["commands"].Value,
            match.Groups["needs"] is { Success: true } needs ? needs.Value : null,
            match.Groups["until"].Success);

    [GeneratedRegex(
        $@"^(<!-- (needs: (?<needs>.*)|(?<until>until: Ctrl\+C)) -->\n)?{Fence}sh\n(?<commands>[^`]*?)^{Fence}$",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex BlockOfCommands();

    private sealed record Block(string At, string Commands, string? Needs, bool IsUntil);
}
