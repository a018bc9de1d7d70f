using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Integration.Documents;

/// <summary>
/// What the commands of a block printed and saved, without what was measured: headings, names of the result line,
/// files, properties of <c>run.json</c> with their types, metrics (also those served), tags of the interval log, heads
/// of CSV.
/// </summary>
internal static partial class SavedShape
{
    // Which percentiles are known depends on the machine, and whether a mean and a maximum are.
    private static readonly HashSet<string> Statistics = ["count", "min", "mean", "max"];

    /// <summary>Sorted lines.</summary>
    /// <param name="folder">It holds what was printed, <c>said</c>, and the results folders.</param>
    public static IEnumerable<string> Of(string folder)
    {
        var lines = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var line in File.ReadLines(Path.Combine(folder, "said")))
        {
            // Which verdict it is depends on the machine.
            if (Heading().Match(line) is { Success: true } heading)
                lines.Add($"heading {heading.Value.TrimEnd()}");
            // Hiccups are taken each second: a page that is asked at once has none yet.
            if (line.StartsWith("# TYPE ", StringComparison.Ordinal) && !line.Contains("hiccups"))
                lines.Add($"served {line["# TYPE ".Length..]}");
            if (line.StartsWith("RESULT ", StringComparison.Ordinal))
            {
                lines.UnionWith(line.Split(' ').Skip(1).Select(word => word.Split('=')[0])
                    .Where(name => name is not ("to" or "grade" or "clock-error") && !Percentile().IsMatch(name))
                    .Select(name => $"result {name}"));
            }
        }

        foreach (var record in Directory.EnumerateFiles(folder, "run.json", SearchOption.AllDirectories))
            lines.UnionWith(OfRun(record));
        return lines;
    }

    private static IEnumerable<string> OfRun(string record)
    {
        var root = JsonNode.Parse(File.ReadAllText(record))!.AsObject();
        var role = root["role"]!.GetValue<string>();
        // A run of a moment has no blocks, nor has one of more than a minute.
        var files = Directory.EnumerateFiles(Path.GetDirectoryName(record)!)
            .Where(file => Path.GetFileName(file) != ResultsFolder.BlockLogName).ToList();
        return files.Select(file => $"file {Path.GetFileName(file)}")
            .Concat(files.Where(file => file.EndsWith(".csv", StringComparison.Ordinal))
                .Select(file => $"csv {File.ReadLines(file).FirstOrDefault()}"))
            .Concat(files.Where(file => file.EndsWith(".hlog", StringComparison.Ordinal)).SelectMany(File.ReadLines)
                .Select(line => Tag().Match(line)).Where(match => match.Success)
                .Select(match => $"tag {match.Groups[1].Value}"))
            .Concat(root["metrics"]?.AsObject().Select(metric => $"metric {NameOf(metric.Key)}") ?? [])
            .Concat(root.Where(property => property.Key is not ("metrics" or "options" or "environment"))
                .SelectMany(property => Properties(property.Key, property.Value)))
            .Where(line => !OfTheMachine().IsMatch(line))
            .Select(line => $"{role}: {line}");
    }

    private static IEnumerable<string> Properties(string path, JsonNode? value) => value switch
    {
        JsonObject map => map.SelectMany(property => Properties($"{path}.{property.Key}", property.Value)),
        JsonArray list => list.SelectMany(element => Properties($"{path}[]", element)),
        _ => [$"property {path} {KindOf(value)}"],
    };

    private static string KindOf(JsonNode? value) => value?.GetValueKind() switch
    {
        JsonValueKind.True or JsonValueKind.False => "Boolean",
        { } kind => kind.ToString(),
        null => "Null",
    };

    // rtt.p99.9 and rtt.count are of rtt.
    private static string NameOf(string metric)
    {
        var name = Percentile().Replace(metric, "");
        var dot = name.LastIndexOf('.');
        return dot > 0 && Statistics.Contains(name[(dot + 1)..]) ? name[..dot] : name;
    }

    // What a run says of its machine, and of what happened meanwhile, differs from run to run; so does what is known.
    [GeneratedRegex(@"^property (verdict\.|events\[|.*percentiles\[\]\.(?!percentile )"
        + @"|.*\]\.(max|mean|standardDeviation|maxAtLeast|maxNs|meanNs|held|measured|reason) )")]
    private static partial Regex OfTheMachine();

    [GeneratedRegex(@"^(?!RESULT |VALID|DOUBTFUL|NOT VALID|VERDICT|WARNING)[A-Z]{3}[A-Z ]*\b")]
    private static partial Regex Heading();

    [GeneratedRegex(@"^Tag=([^,]+),")]
    private static partial Regex Tag();

    [GeneratedRegex(@"\.p\d+(\.\d+)?(?=\.|$)")]
    private static partial Regex Percentile();
}
