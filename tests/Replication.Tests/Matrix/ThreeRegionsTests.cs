using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Matrix;

/// <summary>The sample of three regions, run as a newcomer does, only shorter.</summary>
public class ThreeRegionsTests
{
    [Fact]
    public async Task Sample_OfThreeRegions_PrintsTheDelaysOfAllSixPairs()
    {
        ServerRequirement.Require("redis-server");
        var configuration = typeof(ThreeRegionsTests).Assembly.Location.Contains("debug", StringComparison.Ordinal)
            ? "Debug" : "Release";
        await using var sample = ServiceProcess.StartScript(
            RepositoryRoot.Combine("samples", "three-regions", "run"), "--no-build", "--configuration", configuration,
            "--duration", "3s", "--", "--format", "csv");

        (await sample.End()).ShouldBe(0, sample.ToString());

        var rows = sample.Output.Lines.Skip(1).Select(line => line.Split(',')).ToList();
        rows.Count.ShouldBe(6, sample.ToString());
        foreach (var row in rows)
        {
            var least = (row[0], row[1]) switch
            {
                ("beijing", "shanghai") or ("shanghai", "beijing") => 23.9,
                ("beijing", "shenzhen") or ("shenzhen", "beijing") => 17.6,
                _ => 24.3,
            };
            // The most that it can be is above what the link adds at the least, whatever the machine does.
            double.Parse(row[6], CultureInfo.InvariantCulture).ShouldBeGreaterThan(least, sample.ToString());
            row[7].ShouldBe("60", sample.ToString());
            row[8].ShouldBe("0", sample.ToString());
        }
    }
}
