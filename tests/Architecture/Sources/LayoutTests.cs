using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Sources;

/// <summary>
/// Folders are features, one level below their project; namespaces follow them, and no file outgrows a reader's
/// patience.
/// </summary>
public sealed partial class LayoutTests
{
    private const int MostLines = 400;
    private const int FewestFiles = 4;
    private const int MostFiles = 35;

    private static readonly string[] Layers =
    [
        "Abstractions", "Base", "Common", "Constants", "Contracts", "Core", "Dtos", "Entities", "Enums", "Exceptions",
        "Extensions", "Helpers", "Impl", "Implementation", "Infrastructure", "Interfaces", "Managers", "Misc", "Models",
        "Other", "Services", "Shared", "Types", "Util", "Utilities", "Utils",
    ];

    [Fact]
    public void Folders_AreFeaturesNeverLayers()
    {
        var layers = SourceFile.All
            .Where(file => file.Folder.Split('/').Any(part => Layers.Contains(part, StringComparer.OrdinalIgnoreCase)));

        layers.Select(file => file.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void Folders_LieAtMostOneLevelBelowTheirProject() =>
        SourceFile.All.Where(file => file.Folder.Count(letter => letter == '/') > 1)
            .Select(file => file.ToString()).ShouldBeEmpty();

    [Fact]
    public void Folders_OfTheProduct_AreNeitherTinyNorCrowded()
    {
        var odd = SourceFile.OfProduct
            .Where(file => file.Folder.Contains('/'))
            .GroupBy(file => file.Folder)
            .Where(folder => folder.Count() is < FewestFiles or > MostFiles)
            .Select(folder => $"{folder.Key}: {folder.Count()}");

        odd.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("Metrics")]
    [InlineData("Redis")]
    [InlineData("Reports")]
    [InlineData("Peers")]
    [InlineData("Messaging")]
    public void Folders_OfALibrary_FormNoCycle(string project)
    {
        var arrows = SourceFile.In(project)
            .GroupBy(file => DeclaredNamespace(file)!)
            .ToDictionary(folder => folder.Key, folder => folder.SelectMany(UsedNamespaces).ToHashSet());

        while (arrows.Where(folder => !folder.Value.Overlaps(arrows.Keys)).ToList() is { Count: > 0 } leaves)
            leaves.ForEach(leaf => arrows.Remove(leaf.Key));

        arrows.Keys.ShouldBeEmpty();
    }

    [Fact]
    public void Namespaces_FollowFolders()
    {
        var strays = SourceFile.OfProduct
            .Where(file => file.Name != "Program.cs")
            .Where(file => DeclaredNamespace(file) != ExpectedNamespace(file.Folder))
            .Select(file => $"{file}: {DeclaredNamespace(file)}, not {ExpectedNamespace(file.Folder)}");

        strays.ShouldBeEmpty();
    }

    [Fact]
    public void Files_HaveAtMost400Lines() =>
        SourceFile.All.Where(file => file.Lines.Count > MostLines).Select(file => file.ToString()).ShouldBeEmpty();

    [Fact]
    public void TypeNames_SayWhatATypeIs()
    {
        var vague = SourceFile.All
            .SelectMany(file => VagueName().Matches(file.Text)
                .Select(match => $"{file}: {match.Groups["name"].Value}"));

        vague.ShouldBeEmpty();
    }

    [Fact]
    public void Files_OfTheProduct_DeclareOneTypeNamedAfterThem()
    {
        var strays = SourceFile.OfProduct
            .Where(file => file.Name != "Program.cs")
            .Where(file => !TypesOf(file).Contains(file.Name.Split('.', '{')[0]))
            .Select(file => $"{file}: {string.Join(", ", TypesOf(file))}");

        strays.ShouldBeEmpty();
    }

    private static IReadOnlyList<string> TypesOf(SourceFile file) =>
        [.. DeclaredType().Matches(file.Text).Select(match => match.Groups["name"].Value)];

    private static string? DeclaredNamespace(SourceFile file) =>
        Namespace().Match(file.Text) is { Success: true } match ? match.Groups["name"].Value : null;

    // One that is not needed does not build. That of a type's own file is no arrow.
    private static IEnumerable<string> UsedNamespaces(SourceFile file) =>
        UsedNamespace().Matches(file.Text).Select(match => match.Groups["name"].Value)
            .Where(name => name != DeclaredNamespace(file));

    private static string ExpectedNamespace(string folder) => "RedisLatency." + folder.Replace('/', '.');

    [GeneratedRegex(@"^namespace (?<name>[\w.]+)", RegexOptions.Multiline)]
    private static partial Regex Namespace();

    [GeneratedRegex(@"^using (?:static |\w+ = )?(?<name>RedisLatency\.\w+(?:\.\w+)?)\b", RegexOptions.Multiline)]
    private static partial Regex UsedNamespace();

    [GeneratedRegex(
        @"^(?:(?:public|internal|file|static|sealed|abstract|partial|readonly|ref|unsafe) )*"
        + @"(?:class|struct|interface|enum|record(?: class| struct)?|delegate [\w<>?\[\]. ]+) (?<name>\w+)",
        RegexOptions.Multiline)]
    private static partial Regex DeclaredType();

    [GeneratedRegex(
        @"\b(?:class|struct|interface|enum|record) "
        + @"(?<name>\w*(?:Manager|Helpers?|Utils?|Utility|Data|Info|Base|Impl))\b")]
    private static partial Regex VagueName();
}
