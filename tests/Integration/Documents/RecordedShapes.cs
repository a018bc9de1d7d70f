using System.Text;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Documents;

/// <summary>
/// The shapes of a document's blocks as <c>tests/Golden/documents</c> has them. A line that not every recording had
/// begins with <c>?</c>: recording again marks it, deleting the file first begins anew.
/// </summary>
internal static class RecordedShapes
{
    private const string Always = "  ";
    private const string Sometimes = "? ";
    private const string Prompt = "$ ";

    /// <summary>Compares a document's blocks with what was recorded, or adds them to it.</summary>
    public static async Task<string> DifferenceOf(
        string document, IEnumerable<(string Commands, IReadOnlyList<string> Shape)> blocks)
    {
        var name = $"documents/{Path.GetFileNameWithoutExtension(document)}.txt";
        var recorded = Read(Path.Combine(GoldenFile.Folder, name));
        var now = new StringBuilder();
        foreach (var (commands, shape) in blocks.OrderBy(block => block.Commands, StringComparer.Ordinal))
        {
            var typed = string.Concat(commands.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => $"{Prompt}{line}\n"));
            now.Append(typed);
            foreach (var line in Marked(shape.ToHashSet(), recorded.GetValueOrDefault(typed)))
                now.Append(line).Append('\n');
            now.Append('\n');
        }

        return await GoldenFile.DifferenceOf(name, now.ToString());
    }

    private static IEnumerable<string> Marked(HashSet<string> shape, Dictionary<string, string>? recorded) =>
        from line in shape.Union(recorded?.Keys.AsEnumerable() ?? []).Order(StringComparer.Ordinal)
        let mark = MarkOf(shape.Contains(line), recorded?.GetValueOrDefault(line), recorded is null)
        where mark is not null
        select mark + line;

    private static string? MarkOf(bool isThere, string? recorded, bool isFirst) => recorded switch
    {
        Sometimes => Sometimes,
        Always => isThere ? Always : GoldenFile.IsWritten ? Sometimes : null,
        _ => GoldenFile.IsWritten && !isFirst ? Sometimes : Always,
    };

    // By the lines that are typed, what each line below them begins with.
    private static Dictionary<string, Dictionary<string, string>> Read(string file)
    {
        var blocks = new Dictionary<string, Dictionary<string, string>>();
        var typed = string.Empty;
        var shape = new Dictionary<string, string>();
        foreach (var line in File.Exists(file) ? File.ReadLines(file) : [])
        {
            if (line.Length == 0)
            {
                blocks[typed] = shape;
                (typed, shape) = (string.Empty, []);
            }
            else if (line.StartsWith(Prompt, StringComparison.Ordinal))
            {
                typed += $"{line}\n";
            }
            else
            {
                shape[line[Always.Length..]] = line[..Always.Length];
            }
        }

        return blocks;
    }
}
