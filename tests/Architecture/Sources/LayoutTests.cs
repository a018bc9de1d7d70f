using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Sources;

/// <summary>
/// Folders are features, one level below their project; namespaces follow them, and files say what others find in them.
/// </summary>
public sealed partial class LayoutTests
{
    private const int MostColumns = 120;

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

    [Theory]
    [InlineData("Metrics")]
    [InlineData("Redis")]
    [InlineData("Reports")]
    [InlineData("Peers")]
    [InlineData("Fleet")]
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
    public void Lines_OfTheProduct_HaveAtMost120Columns()
    {
        var wide = SourceFile.OfProduct.SelectMany(file => file.Lines
            .Select((line, number) => (line, Place: $"{file}:{number + 1}"))
            .Where(item => item.line.Length > MostColumns)
            .Select(item => item.Place));

        wide.ShouldBeEmpty();
    }

    [Fact]
    public void EventIds_AreOfOneMessage()
    {
        var twice = SourceFile.OfProduct
            .SelectMany(file => EventId().Matches(file.Text).Select(match => (Id: match.Groups["id"].Value, file)))
            .GroupBy(item => item.Id)
            .Where(id => id.Count() > 1)
            .Select(id => $"{id.Key}: {string.Join(", ", id.Select(item => item.file))}");

        twice.ShouldBeEmpty();
    }

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

    [Fact]
    public void Types_ThatTwoOtherFilesUse_HaveAFileOfTheirName()
    {
        var files = SourceFile.OfProduct.Select(file => (file, Types: TypesOf(file), Words: WordsOf(file))).ToList();
        var homes = files.SelectMany(item => item.Types.Distinct(), (item, name) => (name, item.file))
            .ToLookup(item => item.name, item => item.file);
        var users = files
            .SelectMany(item => item.Words.Except(item.Types))
            .Where(homes.Contains)
            .CountBy(name => name)
            .ToDictionary();

        // A name that is there twice cannot be told by the name alone.
        var hidden = homes
            .Where(home => home.Count() == 1 && users.GetValueOrDefault(home.Key) > 1)
            .Where(home => !home.Single().Name.StartsWith(home.Key + ".", StringComparison.Ordinal))
            .Where(home => home.Single().Name != "Program.cs")
            .Select(home => $"{home.Key}: {users[home.Key]} files use it, in {home.Single()}");

        hidden.ShouldBeEmpty();
    }

    private static HashSet<string> WordsOf(SourceFile file) =>
        [.. Word().Matches(NoCode().Replace(file.Text, "")).Select(match => match.Value)];

    private static IReadOnlyList<string> TypesOf(SourceFile file) =>
        [.. DeclaredType().Matches(file.Text).Select(match => match.Groups["name"].Value)];

    private static string? DeclaredNamespace(SourceFile file) =>
        Namespace().Match(file.Text) is { Success: true } match ? match.Groups["name"].Value : null;

    // One that is not needed does not build. That of a type's own file is no arrow.
    private static IEnumerable<string> UsedNamespaces(SourceFile file) =>
        UsedNamespace().Matches(file.Text).Select(match => match.Groups["name"].Value)
            .Where(name => name != DeclaredNamespace(file));

    private static string ExpectedNamespace(string folder) => "RedisLatency." + folder.Replace('/', '.');

    [GeneratedRegex(@"\b[A-Z]\w*")]
    private static partial Regex Word();

    [GeneratedRegex(@"//[^\n]*|\x22(?:[^\x22\\\n]|\\.)*\x22")]
    private static partial Regex NoCode();

    [GeneratedRegex(@"\bEventId = (?<id>\d+)")]
    private static partial Regex EventId();

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
