using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public sealed class MachineOutputTests
{
    [Fact]
    public void Csv_QuotesWhatWouldBreakARow()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        var csv = new CsvWriter(writer);

        csv.WriteRow("name", "p99_ns");
        csv.WriteRow("a,b \"c\"\n", "1");

        writer.ToString().ShouldBe("name,p99_ns\n\"a,b \"\"c\"\"\n\",1\n");
    }

    [Fact]
    public void Json_OfNumbersThatAreNone_IsNull()
    {
        using var writer = new StringWriter();

        JsonOutput.Write(
            writer, new { AchievedRate = double.NaN, Max = double.PositiveInfinity, Lost = 3L, Unit = "µs" });

        writer.ToString().ShouldBe(
            "{\n  \"achievedRate\": null,\n  \"max\": null,\n  \"lost\": 3,\n  \"unit\": \"µs\"\n}\n");
    }
}
