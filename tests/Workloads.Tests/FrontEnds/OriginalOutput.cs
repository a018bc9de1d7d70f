using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>
/// What the originals printed (redis-benchmark 7.0.15, memtier_benchmark of 2026-05, YCSB 0.17.0), and what is the same
/// in two outputs of other numbers.
/// </summary>
internal static partial class OriginalOutput
{
    /// <summary>Lines end at a carriage return, too, as what is written over.</summary>
    public static IReadOnlyList<string> Lines(string file) =>
        File.ReadAllText(PathOf(file)).Split('\n', '\r');

    public static string PathOf(string file) =>
        RepositoryRoot.Combine("tests", "Workloads.Tests", "FrontEnds", "Originals", file);

    /// <summary>
    /// The lines with their numbers replaced by how many decimals these have; those of one kind that follow each other
    /// once, for how many there are depends on the numbers.
    /// </summary>
    public static List<string> ShapeOf(IEnumerable<string> lines)
    {
        var shapes = new List<string>();
        foreach (var line in lines.Where(line => !IsLive(line) && line.Trim().Length > 0))
        {
            var shape = Spaces().Replace(Number().Replace(line, DecimalsOf), " ").Trim();
            if (shapes.Count == 0 || shapes[^1] != shape)
                shapes.Add(shape);
        }

        return shapes;
    }

    // redis-benchmark divides by whole milliseconds, of which a short test on a fast machine has none.
    public static double NumberOf(string text) =>
        text == "inf" ? double.PositiveInfinity : double.Parse(text, CultureInfo.InvariantCulture);

    // What is shown while it goes on depends on how long it takes.
    private static bool IsLive(string line) => line.Contains("rps=", StringComparison.Ordinal)
        || line.StartsWith("[RUN #", StringComparison.Ordinal);

    private static string DecimalsOf(Match number) =>
        number.Value.Split('.') is [_, var decimals] ? $"<{decimals.Length}>" : "<0>";

    [GeneratedRegex(@"(?<![\w.])-?\d+(\.\d+)?(?![\w.])")]
    private static partial Regex Number();

    [GeneratedRegex(" +")]
    private static partial Regex Spaces();
}
