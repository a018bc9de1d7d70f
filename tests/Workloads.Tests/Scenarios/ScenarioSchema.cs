using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using RedisLatency.Hosting.Options;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads.Tests.Scenarios;

/// <summary>The JSON Schema of scenario files, made of the fields and options that the code has.</summary>
internal static class ScenarioSchema
{
    private static readonly Dictionary<string, JsonObject> Fields = new()
    {
        ["$schema"] = Text("Where this schema is."),
        ["name"] = Text("What it is called in results."),
        ["description"] = Text("What it measures, in a few sentences."),
        ["source"] = Text("Who published the figures."),
        ["options"] = Reference("options", "Of all phases here, as on the command line without the dashes."),
        ["sweep"] = Reference("sweep", "Lists of values: all phases here are run for each, or for each combination."),
        ["phases"] = List(Reference("phase", null), "The phases, in their order."),
        ["group"] = Text("What the phase belongs to; phases of one group make one table."),
        ["verb"] = new()
        {
            ["description"] = "load writes every record once; run, the default, runs operations on them.",
            ["enum"] = new JsonArray(ScenarioReader.Load, ScenarioReader.Run),
        },
        ["pause"] = Text("How long to wait after it: 60s, 10m."),
        ["published"] = List(Reference("published", null), "What others had for it."),
        ["category"] = Text("What the figure is for, where a phase has several."),
        ["operation"] = Text("The operation that latencies are of; without it, of all."),
        ["qps"] = Number("Operations per second."),
        ["averageUs"] = Number("The average latency in microseconds."),
        ["p99Us"] = Number("The 99th percentile in microseconds."),
        ["when"] = new()
        {
            ["description"] = "For which values of the sweeps it is.",
            ["type"] = "object",
            ["properties"] = Properties(
                ScenarioReader.Swept, _ => new JsonObject { ["type"] = Types("string", "number") }),
            ["additionalProperties"] = false,
        },
    };

    public static string Export()
    {
        var schema = new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["title"] = "RedisLatency scenario",
        };
        foreach (var (name, value) in Object(ScenarioReader.OfScenario, ["name", "phases"]))
            schema[name] = value?.DeepClone();
        schema["$defs"] = new JsonObject
        {
            ["phase"] = Object(ScenarioReader.OfPhase, ["name"]),
            ["published"] = Object(ScenarioReader.OfPublished, []),
            ["sweep"] = new JsonObject
            {
                ["type"] = "object",
                ["properties"] = Properties(
                    ScenarioReader.Swept,
                    _ => List(new JsonObject { ["type"] = Types("string", "number") }, null)),
                ["additionalProperties"] = false,
            },
            ["options"] = new JsonObject
            {
                ["type"] = "object",
                ["properties"] = new JsonObject(PhaseCatalogue.ForScenario(isLoad: false).Options.Select(option =>
                    KeyValuePair.Create<string, JsonNode?>(
                        option.Description.Name.TrimStart('-'), OptionSchema(option.Description)))),
                ["additionalProperties"] = false,
            },
        };
        return schema.ToJsonString(new JsonSerializerOptions
        {
            WriteIndented = true,
            NewLine = "\n",
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        }) + "\n";
    }

    private static JsonObject OptionSchema(OptionDescription option)
    {
        var schema = new JsonObject { ["description"] = $"{option.Help}." };
        if (option.Choices.Count > 0)
            schema["enum"] = new JsonArray([.. option.Choices.Select(choice => (JsonNode?)choice)]);
        else
            schema["type"] = option.IsRepeatable ? Types("string", "array") : Types("string", "number", "boolean");
        return schema;
    }

    private static JsonObject Object(IReadOnlyList<string> fields, IReadOnlyList<string> required)
    {
        var schema = new JsonObject
        {
            ["type"] = "object",
            ["properties"] = Properties(fields, name => (JsonObject)Fields[name].DeepClone()),
            ["additionalProperties"] = false,
        };
        if (required.Count > 0)
            schema["required"] = new JsonArray([.. required.Select(name => (JsonNode?)name)]);
        return schema;
    }

    private static JsonObject Properties(IEnumerable<string> names, Func<string, JsonObject> schema) =>
        new(names.Select(name => KeyValuePair.Create<string, JsonNode?>(name, schema(name))));

    private static JsonObject Text(string description) => new() { ["description"] = description, ["type"] = "string" };

    private static JsonObject Number(string description) =>
        new() { ["description"] = description, ["type"] = "number" };

    private static JsonObject Reference(string name, string? description)
    {
        var reference = new JsonObject();
        if (description is not null)
            reference["description"] = description;
        reference["$ref"] = $"#/$defs/{name}";
        return reference;
    }

    private static JsonObject List(JsonObject items, string? description)
    {
        var list = new JsonObject();
        if (description is not null)
            list["description"] = description;
        list["type"] = "array";
        list["items"] = items;
        return list;
    }

    private static JsonArray Types(params string[] types) => new([.. types.Select(type => (JsonNode?)type)]);
}
