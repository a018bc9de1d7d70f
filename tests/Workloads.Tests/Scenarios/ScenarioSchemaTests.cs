using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Reports.Tests.Records;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads.Tests.Scenarios;

public class ScenarioSchemaTests
{
    private static readonly string SchemaPath = RepositoryRoot.Combine("docs", "scenario.schema.json");

    public static TheoryData<string> Names => [.. ScenarioLibrary.Names];

    [Fact]
    public void Schema_InTheDocumentation_IsThatOfTheCode()
    {
        var exported = ScenarioSchema.Export();
        if (Environment.GetEnvironmentVariable("REDISLATENCY_WRITE_SCHEMA") is "1")
            File.WriteAllText(SchemaPath, exported);

        File.ReadAllText(SchemaPath)
            .ShouldBe(exported, "Scenarios have another form now: REDISLATENCY_WRITE_SCHEMA=1 writes the schema anew.");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void BuiltInScenario_HoldsToTheSchema(string name)
    {
        var schema = JsonNode.Parse(File.ReadAllText(SchemaPath))!.AsObject();

        SchemaCheck.Violations(schema, JsonNode.Parse(ScenarioLibrary.TextOf(name))).ShouldBeEmpty();
    }
}
