using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Sources;

/// <summary>Folders are features, namespaces follow them, and no file outgrows a reader's patience.</summary>
public sealed partial class LayoutTests
{
    private const int MostLines = 400;

    private static readonly string[] Layers =
    [
        "Abstractions", "Base", "Common", "Constants", "Contracts", "Core", "Dtos", "Entities", "Enums", "Exceptions",
        "Extensions", "Helpers", "Impl", "Implementation", "Infrastructure", "Interfaces", "Managers", "Misc", "Models",
        "Other", "Services", "Shared", "Types", "Util", "Utilities", "Utils",
    ];

    /// <summary>Options that several services have; "shared" says whose they are, not which layer.</summary>
    private static readonly string[] NotLayers = ["Hosting/Options/Shared"];

    /// <summary>
    /// Folders that only sort the files of one namespace: the errors of Redis are the first thing its callers catch.
    /// </summary>
    private static readonly Dictionary<string, string> SortedOnly = new() { ["Redis/Errors"] = "Redis" };

    [Fact]
    public void Folders_AreFeaturesNeverLayers()
    {
        var layers = SourceFile.All
            .Where(file => !NotLayers.Contains(file.Folder))
            .Where(file => file.Folder.Split('/').Any(part => Layers.Contains(part, StringComparer.OrdinalIgnoreCase)));

        layers.Select(file => file.ToString()).ShouldBeEmpty();
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
    public void Folders_ThatOnlySort_AreThere() =>
        SortedOnly.Keys.ShouldBeSubsetOf(SourceFile.OfProduct.Select(file => file.Folder));

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

    private static string ExpectedNamespace(string folder) =>
        "RedisLatency." + SortedOnly.GetValueOrDefault(folder, folder).Replace('/', '.');

    [GeneratedRegex(@"^namespace (?<name>[\w.]+)", RegexOptions.Multiline)]
    private static partial Regex Namespace();

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
