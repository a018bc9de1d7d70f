using System.Text.Json;
using System.Text.Json.Nodes;

namespace RedisLatency.Reports.Tests.Records;

/// <summary>As much of JSON Schema as the run record's uses.</summary>
internal static class SchemaCheck
{
    public static IEnumerable<string> Violations(JsonObject schema, JsonNode? value) =>
        Violations(schema, schema, value, "#");

    private static IEnumerable<string> Violations(JsonObject root, JsonNode? schema, JsonNode? value, string path)
    {
        if (schema is not JsonObject rules)
            return [];
        if (rules["$ref"] is { } reference)
            return Violations(root, Resolve(root, reference.GetValue<string>()), value, path);
        if (rules["type"] is { } type && !IsOfType(type, value))
            return [$"{path}: {value} is not of type {type}"];
        if (rules["enum"] is JsonArray names && !names.Any(name => JsonNode.DeepEquals(name, value)))
            return [$"{path}: {value} is not one of {names.ToJsonString()}"];
        return value switch
        {
            JsonObject fields => Required(rules, fields, path).Concat(fields.SelectMany(field =>
                Violations(root, RuleOf(rules, field.Key), field.Value, $"{path}/{field.Key}"))),
            JsonArray items => items.SelectMany(
                (item, index) => Violations(root, rules["items"], item, $"{path}/{index}")),
            _ => [],
        };
    }

    private static JsonNode? RuleOf(JsonObject rules, string field) =>
        rules["properties"]?[field] ?? rules["additionalProperties"];

    private static IEnumerable<string> Required(JsonObject rules, JsonObject fields, string path) =>
        (rules["required"]?.AsArray() ?? [])
            .Select(name => name!.GetValue<string>())
            .Where(name => !fields.ContainsKey(name))
            .Select(name => $"{path}: {name} is missing");

    private static JsonNode? Resolve(JsonNode root, string reference) => reference.Split('/').Skip(1)
        .Aggregate<string, JsonNode?>(root, (node, part) => node is JsonArray items
            ? items[int.Parse(part, System.Globalization.CultureInfo.InvariantCulture)]
            : node?[part]);

    private static bool IsOfType(JsonNode type, JsonNode? value) => type is JsonArray types
        ? types.Any(one => IsOfType(one!, value))
        : type.GetValue<string>() switch
        {
            "object" => value is JsonObject,
            "array" => value is JsonArray,
            "string" => value?.GetValueKind() is JsonValueKind.String,
            "boolean" => value?.GetValueKind() is JsonValueKind.True or JsonValueKind.False,
            "number" => value?.GetValueKind() is JsonValueKind.Number,
            "integer" => value?.GetValueKind() is JsonValueKind.Number
                && value.ToJsonString().All(character => character is '-' || char.IsAsciiDigit(character)),
            "null" => value is null,
            _ => false,
        };
}
