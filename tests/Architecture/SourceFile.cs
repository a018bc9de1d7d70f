using RedisLatency.Fixtures;

namespace RedisLatency.Architecture;

/// <summary>A C# file of the checkout.</summary>
internal sealed class SourceFile
{
    private static readonly string[] Roots = ["src", "tests", "benchmarks"];

    private SourceFile(string root, string path)
    {
        var relative = Path.GetRelativePath(RepositoryRoot.Combine(root), path).Replace('\\', '/');
        Root = root;
        Folder = Path.GetDirectoryName(relative)!.Replace('\\', '/');
        Name = Path.GetFileName(path);
        Text = File.ReadAllText(path);
        Lines = Text.Split('\n');
    }

    /// <summary>The files that are written by hand, everywhere.</summary>
    public static IReadOnlyList<SourceFile> All { get; } = [.. Roots.SelectMany(Below)];

    /// <summary>The product's own.</summary>
    public static IEnumerable<SourceFile> OfProduct => All.Where(file => file.Root == "src");

    /// <summary><c>src</c>, <c>tests</c> or <c>benchmarks</c>.</summary>
    public string Root { get; }

    /// <summary>The folder below the root, with <c>/</c>: <c>Redis/Resp</c>.</summary>
    public string Folder { get; }

    public string Name { get; }

    /// <summary>The path below the root, with <c>/</c>.</summary>
    public string FilePath => $"{Folder}/{Name}";

    public string Text { get; }

    public IReadOnlyList<string> Lines { get; }

    /// <summary>The product's files of one project.</summary>
    public static IEnumerable<SourceFile> In(string project) =>
        OfProduct.Where(file => file.Folder == project || file.Folder.StartsWith(project + "/", StringComparison.Ordinal));

    public override string ToString() => $"{Root}/{FilePath}";

    private static IEnumerable<SourceFile> Below(string root) =>
        Directory.EnumerateFiles(RepositoryRoot.Combine(root), "*.cs", SearchOption.AllDirectories)
            .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .Select(path => new SourceFile(root, path));
}
