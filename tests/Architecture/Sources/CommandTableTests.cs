using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture.Sources;

/// <summary>What a command means stands in one table.</summary>
public sealed partial class CommandTableTests
{
    // Fewer may be the steps of one treatment.
    private const int MostNames = 3;

    private static readonly HashSet<string> Names =
    [
        .. File.ReadLines(RepositoryRoot.Combine("src/Redis/Commands/commands.txt"))
            .Where(line => line.Length > 0 && line[0] != '#').Select(line => line.Split(' ')[0]),
    ];

    // The server of our own carries commands out; a user's rights are asked of the server word by word.
    [Fact]
    public void NoSource_HasAListOfCommandsOfItsOwn()
    {
        Names.Count.ShouldBeGreaterThan(400);

        var lists = SourceFile.OfProduct.Where(file => file.Folder != "Server/Commands")
            .SelectMany(file => TextList().Matches(file.Text).Select(list => (file, list.Value)))
            .Where(item => Word().Matches(item.Value).Count(word => Names.Contains(word.Groups[1].Value)) > MostNames)
            .Select(item => $"{item.file}: {item.Value}");

        lists.ShouldBeEmpty();
    }

    [GeneratedRegex(@"""[A-Z|_-]+""(?:\s*(?:,|or)\s*""[A-Z|_-]+"")+|""""""[^""]*""""""", RegexOptions.CultureInvariant)]
    private static partial Regex TextList();

    [GeneratedRegex(@"\b([A-Z]{2,}[A-Z|_-]*)", RegexOptions.CultureInvariant)]
    private static partial Regex Word();
}
