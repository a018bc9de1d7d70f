using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>
/// Whether JSON has the shape of a type, and numbers that a run can have, by where in it something is wrong: the
/// serializer says it in the words of its types.
/// </summary>
internal static class RecordShape
{
    private const int LongestShown = 40;

    // Values that lie on either side of zero, and numbers that others gave; all other whole numbers are counts.
    private static readonly HashSet<string> Signed =
        ["min", "max", "maxAtLeast", "value", "lower", "upper", "appliedOffset", "exitCode", "protocol"];

    /// <summary>What is wrong, as a sentence's end; null where nothing is.</summary>
    /// <param name="type">What it should be.</param>
    /// <param name="element">What it is.</param>
    /// <param name="path">Where it stands: <c>$</c>, <c>$.verdict</c>.</param>
    public static string? Problem(JsonTypeInfo type, JsonElement element, string path) => type.Kind switch
    {
        _ when element.ValueKind == JsonValueKind.Null => $"{path} is null",
        JsonTypeInfoKind.Object => element.ValueKind == JsonValueKind.Object
            ? InObject(type, element, path) : Other(element, path, "an object"),
        JsonTypeInfoKind.Dictionary => element.ValueKind == JsonValueKind.Object
            ? InDictionary(type, element, path) : Other(element, path, "an object"),
        JsonTypeInfoKind.Enumerable => element.ValueKind == JsonValueKind.Array
            ? InList(type, element, path) : Other(element, path, "a list"),
        _ => InValue(type, element, path),
    };

    private static string? InObject(JsonTypeInfo type, JsonElement element, string path)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var member in element.EnumerateObject())
        {
            if (type.Properties.FirstOrDefault(known => known.Name == member.Name) is not { Set: not null } property)
                continue;
            var place = $"{path}.{member.Name}";
            if (!seen.Add(member.Name))
                return $"{place} is there twice";
            if (member.Value.ValueKind == JsonValueKind.Null)
            {
                if (!MayBeNull(property))
                    return $"{place} is null";
                continue;
            }

            if ((Problem(type.Options.GetTypeInfo(property.PropertyType), member.Value, place)
                ?? (IsCount(property) ? InCount(member.Value, place) : null)) is { } problem)
                return problem;
        }

        var missing = type.Properties.FirstOrDefault(known => known.IsRequired && !seen.Contains(known.Name));
        return missing is null ? null : $"{path}.{missing.Name} is missing";
    }

    private static string? InDictionary(JsonTypeInfo type, JsonElement element, string path)
    {
        var of = type.Options.GetTypeInfo(type.ElementType!);
        return element.EnumerateObject().Select(member =>
            Problem(of, member.Value, $"{path}['{member.Name}']")
                ?? (of.Type == typeof(long) ? InCount(member.Value, $"{path}['{member.Name}']") : null))
            .FirstOrDefault(problem => problem is not null);
    }

    private static string? InList(JsonTypeInfo type, JsonElement element, string path)
    {
        var of = type.Options.GetTypeInfo(type.ElementType!);
        return element.EnumerateArray().Index()
            .Select(item => Problem(of, item.Item, FormattableString.Invariant($"{path}[{item.Index}]")))
            .FirstOrDefault(problem => problem is not null);
    }

    private static string? InValue(JsonTypeInfo type, JsonElement element, string path)
    {
        // Sums of larger numbers would soon be none.
        if (element.ValueKind == JsonValueKind.Number
            && !(Math.Abs(element.GetDouble()) <= RunRecordReader.LargestNumber))
            return $"{path} is {Shown(element)}, a number larger than any of a run";
        try
        {
            element.Deserialize(type);
            return null;
        }
        catch (JsonException)
        {
            return Other(element, path, NameOf(Nullable.GetUnderlyingType(type.Type) ?? type.Type));
        }
    }

    private static string? InCount(JsonElement element, string path) =>
        element.ValueKind == JsonValueKind.Number && element.GetDouble() < 0
            ? $"{path} is {Shown(element)}, and there are no fewer than none"
            : null;

    private static string Other(JsonElement element, string path, string wanted) =>
        $"{path} is {Shown(element)} and not {wanted}";

    private static string NameOf(Type type) => type == typeof(string) ? "text"
        : type == typeof(bool) ? "true or false"
        : type == typeof(DateTimeOffset) ? "a time"
        : type.IsEnum ? "one of the words that belong there"
        : type == typeof(double) ? "a number" : "a whole number";

    private static string Shown(JsonElement element)
    {
        if (element.ValueKind is JsonValueKind.Object or JsonValueKind.Array)
            return element.ValueKind == JsonValueKind.Object ? "an object" : "a list";
        var text = element.GetRawText();
        return text.Length <= LongestShown ? text : $"{text[..LongestShown]}…";
    }

    private static bool MayBeNull(JsonPropertyInfo property) => property.PropertyType.IsValueType
        ? Nullable.GetUnderlyingType(property.PropertyType) is not null
        : property.IsSetNullable;

    private static bool IsCount(JsonPropertyInfo property) =>
        property.DeclaringType == typeof(RecordedMetric)
        || ((Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) is var type
            && (type == typeof(long) || type == typeof(int))
            && !property.Name.EndsWith("Ns", StringComparison.Ordinal) && !Signed.Contains(property.Name));
}
