using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using System.Xml.Linq;
using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Records;

/// <summary>
/// The JSON Schema of the run record as the code has it: the serializer's own, with the documentation comments for
/// descriptions.
/// </summary>
internal static class RunRecordSchema
{
    private static readonly XElement[] Documentation =
    [
        .. new[] { typeof(RunRecord), typeof(MachineFacts) }.SelectMany(type =>
            XDocument.Load(Path.ChangeExtension(type.Assembly.Location, ".xml")).Descendants("member")),
    ];

    public static string Export()
    {
        var options = new JsonSchemaExporterOptions
        {
            TreatNullObliviousAsNonNullable = true,
            TransformSchemaNode = Describe,
        };
        var schema = RunRecordJson.Default.Options.GetJsonSchemaAsNode(typeof(RunRecord), options).AsObject();
        schema.Insert(0, "$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.Insert(1, "title", "RedisLatency run record (run.json)");
        var indented = new JsonSerializerOptions
        {
            WriteIndented = true,
            NewLine = "\n",
            Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
        return schema.ToJsonString(indented) + "\n";
    }

    private static JsonNode Describe(JsonSchemaExporterContext context, JsonNode schema)
    {
        if (schema is not JsonObject node)
            return schema;
        // What is null is left out when written.
        if (node["type"] is JsonArray types
            && types.Select(type => type!.GetValue<string>()).ToArray() is [var only, "null"])
        {
            node["type"] = only;
        }

        if (node["required"] is JsonArray required)
        {
            foreach (var property in context.TypeInfo.Properties.Where(MayBeNull))
                required.RemoveAll(name => name!.GetValue<string>() == property.Name);
        }

        if (Comment(context) is { } comment)
            node.Insert(0, "description", comment);
        return node;
    }

    private static bool MayBeNull(JsonPropertyInfo property) =>
        property.PropertyType.IsValueType
            ? Nullable.GetUnderlyingType(property.PropertyType) is not null
            : property.IsGetNullable;

    private static string? Comment(JsonSchemaExporterContext context)
    {
        if (context.PropertyInfo is not { } property)
            return Comment($"T:{context.TypeInfo.Type.FullName}");
        var name = (property.AttributeProvider as MemberInfo)?.Name;
        var owner = property.DeclaringType.FullName;
        return Comment($"P:{owner}.{name}") ?? Parameter(property.DeclaringType, name);
    }

    private static string? Comment(string member) => Text(Member(member)?.Element("summary"));

    // What a positional record has is documented as its parameters.
    private static string? Parameter(Type owner, string? name) => Text(
        Member($"T:{owner.FullName}")?.Elements("param")
            .FirstOrDefault(element => element.Attribute("name")!.Value == name));

    private static XElement? Member(string name) => Documentation
        .FirstOrDefault(element => element.Attribute("name")!.Value == name);

    private static string? Text(XElement? element)
    {
        if (element is null)
            return null;
        foreach (var reference in element.Descendants().ToArray())
        {
            var text = reference.Value.Length > 0 ? reference.Value
                : reference.Attribute("name")?.Value ?? reference.Attribute("cref")?.Value.Split('.')[^1] ?? "";
            reference.ReplaceWith(text);
        }

        return string.Join(' ', element.Value.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }
}
