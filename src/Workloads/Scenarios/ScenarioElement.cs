using System.Globalization;
using System.Text.Json;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>A place in a scenario file: what is wrong there is noted with its JSON path, and reading goes on.</summary>
internal readonly struct ScenarioElement(JsonElement element, string path, List<string> problems)
{
    public string Path => path;

    public void Note(string problem) => problems.Add($"{path}: {problem}");

    /// <summary>Notes what is unknown, doubled or missing; any field is known where none is named.</summary>
    public Dictionary<string, ScenarioElement> Fields(
        IReadOnlyCollection<string> known, IReadOnlyCollection<string> required)
    {
        var fields = new Dictionary<string, ScenarioElement>(StringComparer.Ordinal);
        if (element.ValueKind != JsonValueKind.Object)
        {
            Note($"an object is needed, not {KindOf(element)}");
            return fields;
        }

        foreach (var property in element.EnumerateObject())
        {
            var field = new ScenarioElement(property.Value, $"{path}.{property.Name}", problems);
            if (known.Count > 0 && !known.Contains(property.Name))
            {
                var near = NearestName.Of(property.Name, known) is { } nearest ? $"; did you mean {nearest}?"
                    : $"; there are {string.Join(", ", known)}";
                field.Note($"unknown field{near}");
            }
            else if (!fields.TryAdd(property.Name, field))
            {
                field.Note("it is there twice");
            }
        }

        foreach (var name in required.Where(name => !fields.ContainsKey(name)))
            Note($"{name} is missing");
        return fields;
    }

    /// <summary>How many combinations the lists in a field have, making none; 1 where there are no lists.</summary>
    public double Combinations(string field) => element.ValueKind != JsonValueKind.Object
        || !element.TryGetProperty(field, out var lists) || lists.ValueKind != JsonValueKind.Object
            ? 1
            : lists.EnumerateObject().Where(list => list.Value.ValueKind == JsonValueKind.Array)
                .Aggregate(1.0, (product, list) => product * Math.Max(1, list.Value.GetArrayLength()));

    public List<ScenarioElement> Items()
    {
        var items = new List<ScenarioElement>();
        if (element.ValueKind != JsonValueKind.Array)
        {
            Note($"a list is needed, not {KindOf(element)}");
            return items;
        }

        foreach (var item in element.EnumerateArray())
        {
            items.Add(new ScenarioElement(
                item, string.Create(CultureInfo.InvariantCulture, $"{path}[{items.Count}]"), problems));
        }

        if (items.Count == 0)
            Note("it must not be empty");
        return items;
    }

    /// <summary>A text that is not empty and can be printed, or null, which is noted.</summary>
    public string? Text()
    {
        if (element is { ValueKind: JsonValueKind.String } && element.GetString() is { Length: > 0 } text)
        {
            if (!text.Any(char.IsControl))
                return text;
            Note("it must not have control characters in it");
            return null;
        }

        Note($"a text is needed, not {KindOf(element)}");
        return null;
    }

    /// <summary>The same, of what names something; it leads nowhere as a path.</summary>
    public string? Name()
    {
        var name = Text();
        if (name is null || !name.Split('/', '\\').Contains(".."))
            return name;
        Note("a name must not have '../' in it");
        return null;
    }

    public double? Number()
    {
        if (element.ValueKind == JsonValueKind.Number && element.TryGetDouble(out var number) && number >= 0)
            return number;
        Note("a number is needed, 0 or more");
        return null;
    }

    public string? OptionText()
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.String:
                return element.GetString();
            case JsonValueKind.Number:
                return element.GetRawText();
            case JsonValueKind.True or JsonValueKind.False:
                return element.GetBoolean() ? "true" : "false";
            default:
                Note($"a text, a number, true or false is needed, not {KindOf(element)}");
                return null;
        }
    }

    public List<string> OptionTexts() => element.ValueKind == JsonValueKind.Array
        ? [.. Items().Select(item => item.OptionText()).OfType<string>()]
        : [.. new[] { OptionText() }.OfType<string>()];

    private static string KindOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "a list",
        JsonValueKind.String => element.GetString() is { Length: 0 } ? "an empty one" : "a text",
        JsonValueKind.Number => "a number",
        JsonValueKind.Null => "null",
        _ => "true or false",
    };
}
