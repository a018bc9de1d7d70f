using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Tests.Options;

/// <summary>The options of other load generators, typed out of habit.</summary>
public partial class ForeignOptionsTests
{
    // Those that start nothing, and fuzzing.
    private static readonly string[] WithoutCounterpart = ["--help", "--version", "-v", "-h", "--fuzz", "-f"];

    private static readonly string[] Ours =
    [
        .. WorkloadCatalogue.ForRun().Options.SelectMany(option => option.Description.Names),
    ];

    [Theory]
    [InlineData("run --ratio 1:10", "unknown option --ratio: use --mix set=1,get=10, or load memtier, which")]
    [InlineData("run --ratio=3:0", "unknown option --ratio: use --mix set=3,get=0, or load memtier, which")]
    [InlineData("run --ratio much", "unknown option --ratio: use --mix set=1,get=10, or load memtier, which")]
    [InlineData("run -a secret", "unknown option -a: use --password-file or the variable REDISCLI_AUTH")]
    [InlineData("run -p 6379", "unknown option -p: give the server as a word, HOST:PORT, or by --redis redis://HOST:PORT")]
    [InlineData("run -p recordcount=1000", "unknown option -p: use --records")]
    [InlineData("run --test-time 60", "unknown option --test-time: use --duration 60s")]
    [InlineData("load --rps 100", "unknown option --rps: use --rate, which is that of all connections together")]
    [InlineData("load --data-size 32", "unknown option --data-size: use --value-size 32")]
    public async Task Option_OfAnotherTool_IsTranslated(string line, string problem)
    {
        await using var workloads = ServiceProcess.Start("Workloads", line.Split(' '));

        (await workloads.End()).ShouldBe(2, workloads.ToString());

        workloads.Errors.Lines.ToArray()[0].ShouldStartWith(problem);
        workloads.Errors.Lines.Count.ShouldBe(2, workloads.ToString());
    }

    [Fact]
    public void Hint_ThatNamesWhatCannotBeTyped_IsNotGiven() =>
        ForeignOptions.HintFor("--ratio", "1:10", ["--redis", "--rate"]).ShouldBeNull();

    [Fact]
    public void Options_OfTheReferencesTools_AreOursOrTranslated()
    {
        var path = RepositoryRoot.Shared("reference", "load-generators.md");
        Assert.SkipWhen(path is null, "There is no shared reference beside the checkout.");
        var text = File.ReadAllText(path);
        var memtier = text[text.IndexOf("### 2.1", StringComparison.Ordinal)..];
        memtier = memtier[..memtier.IndexOf("Source defects", StringComparison.Ordinal)];
        var benchmark = text[text.IndexOf("### 2.2", StringComparison.Ordinal)..];
        benchmark = benchmark[..benchmark.IndexOf("### 2.3", StringComparison.Ordinal)];
        var names = memtier.Split('\n').Where(line => line.StartsWith("| -", StringComparison.Ordinal))
            .Select(line => line.Split('|')[1])
            .Append(memtier[memtier.IndexOf("*2.4+ adds*", StringComparison.Ordinal)..])
            .SelectMany(part => Name().Matches(part)).Select(match => match.Value.Replace("/max", "", StringComparison.Ordinal))
            .Concat(Quoted().Matches(benchmark).Select(match => match.Groups[1].Value))
            .Distinct().Except(WithoutCounterpart).ToArray();

        names.Length.ShouldBeGreaterThan(100);
        names.Where(name => !Ours.Contains(name) && ForeignOptions.HintFor(name, null, Ours) is null).ShouldBeEmpty();
    }

    [GeneratedRegex(@"(?<![\w/-])(?!-1)--?[a-zA-Z0-9][a-z0-9-]*(/max-jitter-micros)?")]
    private static partial Regex Name();

    [GeneratedRegex("`(--?[a-zA-Z0-9][a-z0-9-]*)[` ]")]
    private static partial Regex Quoted();
}
