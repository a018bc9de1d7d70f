using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture.Documents;

public sealed partial class LinkTests
{
    [Fact]
    public void Links_LeadToFilesThatAreThere()
    {
        var broken = Pages().SelectMany(page => Link().Matches(File.ReadAllText(page))
            .Select(match => match.Groups["target"].Value.Split('#')[0])
            .Where(target => target.Length > 0 && !target.Contains("://", StringComparison.Ordinal))
            .Where(target => !Exists(Path.Combine(Path.GetDirectoryName(page)!, target)))
            .Select(target => $"{Path.GetRelativePath(RepositoryRoot.Path, page)}: {target}"));

        broken.ShouldBeEmpty();
    }

    [Fact]
    public void Pages_OfTheDocs_AreInTheIndex()
    {
        var folder = RepositoryRoot.Combine("docs");
        var index = File.ReadAllText(Path.Combine(folder, "README.md"));

        var unlisted = Directory.EnumerateFiles(folder, "*.md", SearchOption.AllDirectories)
            .Select(page => Path.GetRelativePath(folder, page).Replace('\\', '/'))
            .Where(page => page != "README.md" && !index.Contains($"({page})", StringComparison.Ordinal));

        unlisted.ShouldBeEmpty();
    }

    private static IEnumerable<string> Pages() =>
    [
        .. Directory.EnumerateFiles(RepositoryRoot.Path, "*.md"),
        .. Directory.EnumerateFiles(RepositoryRoot.Combine("docs"), "*.md", SearchOption.AllDirectories),
    ];

    private static bool Exists(string path) => File.Exists(path) || Directory.Exists(path);

    [GeneratedRegex(@"(?<!!)\[[^\]]*\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();
}
