using System.Text.Json.Serialization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public sealed class MachineOutputTests
{
    [Fact]
    public void Json_OfNumbersThatAreNone_IsNull()
    {
        using var writer = new StringWriter();

        JsonOutput.Write(
            writer, new Figures(double.NaN, double.PositiveInfinity, 3, "µs"), FiguresJson.Default);

        writer.ToString().ShouldBe(
            "{\n  \"achievedRate\": null,\n  \"max\": null,\n  \"lost\": 3,\n  \"unit\": \"µs\"\n}\n");
    }
}

internal sealed record Figures(double AchievedRate, double Max, long Lost, string Unit);

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    NewLine = "\n",
    Converters = [typeof(FiniteNumberConverter)])]
[JsonSerializable(typeof(Figures))]
internal sealed partial class FiguresJson : JsonSerializerContext;
