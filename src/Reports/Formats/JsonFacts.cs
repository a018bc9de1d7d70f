using System.Text.Json;

namespace RedisLatency.Reports.Formats;

/// <summary>Members of JSON that may be missing or of another kind.</summary>
internal static class JsonFacts
{
    private const int MostFacts = 500;

    /// <summary>A member that is an object.</summary>
    public static JsonElement? Member(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var member)
            && member.ValueKind == JsonValueKind.Object ? member : null;

    public static double? Number(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var member)
            && member.ValueKind == JsonValueKind.Number && member.GetDouble() is var number && double.IsFinite(number)
            ? number : null;

    public static string? Text(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var member)
            && member.ValueKind == JsonValueKind.String ? member.GetString() : null;

    /// <summary>All its numbers, words and texts by their places: <c>reader.status</c>.</summary>
    public static IReadOnlyDictionary<string, string> Flat(JsonElement element)
    {
        var facts = new Dictionary<string, string>();
        Add(element, string.Empty);
        return facts;

        void Add(JsonElement value, string place)
        {
            if (value.ValueKind == JsonValueKind.Object)
            {
                foreach (var member in value.EnumerateObject())
                    Add(member.Value, place.Length == 0 ? member.Name : $"{place}.{member.Name}");
            }
            else if (value.ValueKind is not (JsonValueKind.Array or JsonValueKind.Null) && facts.Count < MostFacts)
            {
                facts[place] = Masked(value.ToString());
            }
        }
    }

    /// <summary>An endpoint without its user and password.</summary>
    public static string Masked(string text) =>
        text.IndexOf("://", StringComparison.Ordinal) is > 0 and var scheme
            && text.LastIndexOf('@') is var at && at > scheme
            ? $"{text[..(scheme + 3)]}***{text[at..]}"
            : text;
}
