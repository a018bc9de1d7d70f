using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Workloads.FrontEnds;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>Every option of the other tools is in the code, and so in --help; none is forgotten.</summary>
public partial class KnownOptionTests
{
    private static readonly Dictionary<string, IReadOnlyList<OptionDescription>> Tools = new()
    {
        ["redis-benchmark and valkey-benchmark"] = [.. Of(RedisBenchmarkOptions.CreateCatalogue())],
        ["memtier_benchmark"] = [.. Of(MemtierCatalogue.Create())],
        ["YCSB"] = [.. Of(YcsbOptions.CreateCatalogue()), .. Of(YcsbProperties.Catalogue)],
    };

    [Fact]
    public void Options_OfTheReference_AreAllKnown()
    {
        var path = RepositoryRoot.Shared("reference", "load-generators.md");
        Assert.SkipWhen(path is null, "There is no shared reference beside the checkout.");
        var text = File.ReadAllText(path);

        var memtier = Section(text, "### 2.1", "Source defects")
            .Replace("-min/max-", "-min-", StringComparison.Ordinal);
        var ofMemtier = OptionName().Matches(memtier).Select(match => match.Value)
            .Where(name => name != "-1");
        ofMemtier.Except(NamesOf("memtier_benchmark")).ShouldBeEmpty();

        var benchmark = Quoted().Matches(Section(text, "### 2.2", "### 2.3"))
            .SelectMany(match => OptionName().Matches(match.Groups[1].Value)).Select(match => match.Value);
        benchmark.Except(NamesOf("redis-benchmark and valkey-benchmark")).Except(["--"]).ShouldBeEmpty();

        var ycsb = Section(text, "Client properties:", "go-ycsb redis:");
        foreach (var property in PropertyName().Matches(ycsb).Select(match => match.Groups[1].Value).Distinct())
            NamesOf("YCSB").ShouldContain(property, ycsb);
        PropertyName().Count(ycsb).ShouldBeGreaterThan(40);
    }

    private static IEnumerable<string> NamesOf(string tool) => Tools[tool].SelectMany(option => option.Names);

    private static string Section(string text, string from, string to)
    {
        var part = text[text.IndexOf(from, StringComparison.Ordinal)..];
        return part[..part.IndexOf(to, StringComparison.Ordinal)];
    }

    private static IEnumerable<OptionDescription> Of<TOptions>(OptionCatalogue<TOptions> catalogue)
        where TOptions : class, new() => catalogue.Options.Select(option => option.Description);

    [GeneratedRegex(@"(?<![\w/-])--?[a-zA-Z0-9][a-z0-9-]*")]
    private static partial Regex OptionName();

    [GeneratedRegex("`(--?[a-zA-Z0-9][^`]*)`")]
    private static partial Regex Quoted();

    // A property and its default, or what else is told of it.
    [GeneratedRegex(@"(?:: |· |, )([a-z_]+(?:\.[a-z_A-Z]+)+|[a-z_]{6,})(?= [""\d(*a-z]|,)")]
    private static partial Regex PropertyName();
}
