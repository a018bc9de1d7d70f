using System.Text;
using System.Text.Json;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>Reads a link's profile, as <c>docs/wan-link.md</c> has it; all that is wrong is told at once.</summary>
internal sealed class LinkProfileReader
{
    public static readonly ValueSyntax<TimeSpan> Delay = Syntax.Duration(most: TimeSpan.FromHours(1));

    private static readonly ValueSyntax<TimeSpan> Bound =
        Syntax.Duration(TimeSpan.FromHours(-1), TimeSpan.FromHours(1));

    private static readonly ValueSyntax<TimeSpan> Moment = Syntax.Duration();
    private static readonly ValueSyntax<double> Probability = Syntax.Number(0, 1);
    private static readonly ValueSyntax<double> Exponent = Syntax.Number(0.1, 100);
    private static readonly ValueSyntax<long> Rate = Syntax.Size(1, 1L << 40);

    private static readonly JsonDocumentOptions Lenient = new()
    {
        AllowTrailingCommas = true,
        CommentHandling = JsonCommentHandling.Skip,
        AllowDuplicateProperties = false,
    };

    private readonly List<string> _problems = [];

    private LinkProfileReader()
    {
    }

    /// <summary>Reads a file, or the JSON itself where the text begins with a brace.</summary>
    public static LinkProfile Read(string fileOrJson)
    {
        var isJson = fileOrJson.TrimStart().StartsWith('{');
        var name = isJson ? "--profile" : $"--profile {fileOrJson}";
        byte[] text = [];
        try
        {
            text = isJson ? Encoding.UTF8.GetBytes(fileOrJson) : SmallFile.Read(fileOrJson);
            using var document = JsonDocument.Parse(text, Lenient);
            var reader = new LinkProfileReader();
            var profile = reader.ReadProfile(document.RootElement);
            return reader._problems.Count == 0
                ? profile
                : throw new ConfigurationException([.. reader._problems.Select(problem => $"{name}: {problem}")]);
        }
        catch (JsonException failure)
        {
            throw new ConfigurationException($"{name}: {JsonErrors.Of(failure, text)}");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"{name}: {failure.Message.ReplaceLineEndings(" ")}");
        }
    }

    private LinkProfile ReadProfile(JsonElement root)
    {
        var fields = Fields(root, string.Empty, "forward", "back", "both", "seed");
        if (fields.ContainsKey("both") && (fields.ContainsKey("forward") || fields.ContainsKey("back")))
            _problems.Add("both: stands in the place of forward and back; use only one of them");
        var both = ReadWay(fields, "both");
        return new LinkProfile
        {
            Forward = ReadWay(fields, "forward") ?? both ?? new LinkSettings(),
            Back = ReadWay(fields, "back") ?? both ?? new LinkSettings(),
            Seed = (int)Read(fields, "seed", string.Empty, Syntax.Count(0, int.MaxValue), 1),
        };
    }

    private LinkSettings? ReadWay(Dictionary<string, JsonElement> profile, string name)
    {
        if (!profile.TryGetValue(name, out var element))
            return null;
        var fields = Fields(
            element, name, "delay", "jitter", "rate", "stalls", "cuts", "loss", "duplicate", "reorder", "reorderBy");
        return new LinkSettings
        {
            Delay = Read(fields, "delay", name, Delay, TimeSpan.Zero),
            Jitter = fields.TryGetValue("jitter", out var jitter) ? ReadJitter(jitter, $"{name}.jitter") : null,
            Rate = Read(fields, "rate", name, Rate, 0),
            Stalls = ReadSpans(fields, "stalls", name),
            Cuts = ReadSpans(fields, "cuts", name),
            Loss = Read(fields, "loss", name, Probability, 0),
            Duplicate = Read(fields, "duplicate", name, Probability, 0),
            Reorder = Read(fields, "reorder", name, Probability, 0),
            ReorderBy = Read(fields, "reorderBy", name, Delay, new LinkSettings().ReorderBy),
        };
    }

    private Jitter? ReadJitter(JsonElement element, string path)
    {
        if (element.ValueKind == JsonValueKind.String && element.GetString() == "none")
            return null;
        var shapes = Enum.GetValues<JitterShape>().ToDictionary(shape => shape.ToString().ToLowerInvariant());
        var fields = Fields(element, path, [.. shapes.Keys, "exponent", "least", "most"]);
        var named = shapes.Where(shape => fields.ContainsKey(shape.Key)).ToArray();
        if (named.Length != 1)
        {
            if (element.ValueKind == JsonValueKind.Object && element.EnumerateObject().Count() == fields.Count)
                _problems.Add($"{path}: one of {string.Join(", ", shapes.Keys)} is needed, or \"none\"");
            return null;
        }

        var jitter = new Jitter(named[0].Value, Read(fields, named[0].Key, path, Delay, TimeSpan.Zero))
        {
            Least = fields.ContainsKey("least") ? Read(fields, "least", path, Bound, TimeSpan.Zero) : null,
            Most = fields.ContainsKey("most") ? Read(fields, "most", path, Bound, TimeSpan.Zero) : null,
        };
        if (fields.ContainsKey("exponent"))
        {
            if (jitter.Shape != JitterShape.Pareto)
                _problems.Add($"{path}.exponent: only pareto has one");
            jitter = jitter with { Exponent = Read(fields, "exponent", path, Exponent, 1) };
        }

        if (jitter.Least > jitter.Most)
            _problems.Add($"{path}.least: more than most");
        return jitter;
    }

    private LinkSpan[] ReadSpans(Dictionary<string, JsonElement> way, string name, string parent)
    {
        var path = $"{parent}.{name}";
        if (!way.TryGetValue(name, out var element))
            return [];
        if (element.ValueKind != JsonValueKind.Array)
        {
            _problems.Add($"{path}: a list is needed, for instance [{{\"at\":\"10s\",\"for\":\"500ms\"}}]");
            return [];
        }

        return [.. element.EnumerateArray().Select((span, index) =>
        {
            var place = $"{path}[{index}]";
            var fields = Fields(span, place, "at", "for");
            return new LinkSpan(ReadRequired(fields, "at", place), ReadRequired(fields, "for", place));
        })];
    }

    private TimeSpan ReadRequired(Dictionary<string, JsonElement> fields, string name, string parent)
    {
        if (!fields.ContainsKey(name))
            _problems.Add($"{parent}.{name}: missing");
        return Read(fields, name, parent, Moment, TimeSpan.Zero);
    }

    private T Read<T>(
        Dictionary<string, JsonElement> fields, string name, string parent, ValueSyntax<T> syntax, T otherwise)
    {
        if (!fields.TryGetValue(name, out var element))
            return otherwise;
        var text = element.ValueKind == JsonValueKind.String ? element.GetString()! : element.GetRawText();
        var reading = syntax.Read(text);
        if (reading.Problem is null)
            return reading.Value!;
        _problems.Add($"{PathOf(parent, name)} {text}: {reading.Problem}");
        return otherwise;
    }

    private Dictionary<string, JsonElement> Fields(JsonElement element, string path, params string[] known)
    {
        var fields = new Dictionary<string, JsonElement>();
        if (element.ValueKind != JsonValueKind.Object)
        {
            _problems.Add(
                $"{(path.Length == 0 ? "the profile" : path)}: an object is needed, as in {{\"{known[0]}\":…}}");
            return fields;
        }

        foreach (var field in element.EnumerateObject())
        {
            if (known.Contains(field.Name))
                fields[field.Name] = field.Value;
            else
                _problems.Add($"{PathOf(path, field.Name)}: unknown field; {Advice(field.Name, known)}");
        }

        return fields;
    }

    private static string Advice(string name, string[] known) => NearestName.Of(name, known) is { } near
        ? $"did you mean {near}?"
        : $"there are {string.Join(", ", known)}";

    private static string PathOf(string parent, string name) => parent.Length == 0 ? name : $"{parent}.{name}";
}
