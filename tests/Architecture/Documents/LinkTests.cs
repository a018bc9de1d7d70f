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

    /// <summary>A folder's own, where it has one, else that of docs/.</summary>
    [Fact]
    public void Pages_OfTheDocs_AreInAnIndex()
    {
        var folder = RepositoryRoot.Combine("docs");
        var unlisted = Directory.EnumerateFiles(folder, "*.md", SearchOption.AllDirectories)
            .Where(page => page != IndexOf(folder))
            .Where(page => !IsListed(page, IndexOf(Path.GetDirectoryName(page)!)) && !IsListed(page, IndexOf(folder)))
            .Select(page => Path.GetRelativePath(folder, page));

        unlisted.ShouldBeEmpty();
    }

    private static string IndexOf(string folder) => Path.Combine(folder, "README.md");

    private static bool IsListed(string page, string index)
    {
        var name = Path.GetRelativePath(Path.GetDirectoryName(index)!, page).Replace('\\', '/');
        return File.Exists(index) && File.ReadAllText(index).Contains($"({name})", StringComparison.Ordinal);
    }

    internal static IEnumerable<string> Pages() =>
    [
        .. Directory.EnumerateFiles(RepositoryRoot.Path, "*.md"),
        .. Directory.EnumerateFiles(RepositoryRoot.Combine("docs"), "*.md", SearchOption.AllDirectories),
    ];

    private static bool Exists(string path) => File.Exists(path) || Directory.Exists(path);

    [GeneratedRegex(@"(?<!!)\[[^\]]*\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();
}
