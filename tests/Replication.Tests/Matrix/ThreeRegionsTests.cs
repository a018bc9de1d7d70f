using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Matrix;

/// <summary>The sample of three regions, run as a newcomer does, only shorter.</summary>
public class ThreeRegionsTests
{
    [Fact]
    public async Task Sample_OfThreeRegions_PrintsTheDelaysOfAllSixPairs()
    {
        var rows = await Run("--duration", "3s");

        foreach (var row in rows)
        {
            var least = (row["source"], row["destination"]) switch
            {
                ("beijing", "shanghai") or ("shanghai", "beijing") => 23.9,
                ("beijing", "shenzhen") or ("shenzhen", "beijing") => 17.6,
                _ => 24.3,
            };
            // The most that it can be is above what the link adds at the least, whatever the machine does.
            Number(row["average_most_ms"]).ShouldBeGreaterThan(least);
            (row["series"], row["read"], row["not_read"]).ShouldBe(("delay", "60", "0"));
        }
    }

    [Fact]
    public async Task Sample_OfAMesh_PrintsWhatMessagesTakeOnAllSixWays()
    {
        var rows = await Run("--mesh", "--duration", "3s", "--rate", "100");

        foreach (var row in rows)
        {
            // What two links add at the least.
            var least = LeastPartOf(row["source"]) + LeastPartOf(row["destination"]);
            var back = rows.Single(other => other["source"] == row["destination"]
                && other["destination"] == row["source"]);
            // An offset may be wrong by its E, and adds to the way back what it takes of the way there.
            var error = Number(row["average_error_ms"]);
            error.ShouldBeGreaterThan(0);
            Number(row["average_ms"]).ShouldBeGreaterThan(least - error);
            (Number(row["average_ms"]) + Number(back["average_ms"])).ShouldBeGreaterThan(2 * least);
            Number(row["p95_ms"]).ShouldBeGreaterThan(Number(row["average_ms"]));
            (row["series"], row["read"], row["not_read"]).ShouldBe(("forward-intended", "300", "0"));
        }
    }

    private static double LeastPartOf(string region) => region switch
    {
        "beijing" => 12.295,
        "shanghai" => 11.575,
        _ => 12.732,
    };

    private static double Number(string cell) => double.Parse(cell, CultureInfo.InvariantCulture);

    // Of each pair a row, beside what was published.
    private static async Task<IReadOnlyList<Dictionary<string, string>>> Run(params string[] arguments)
    {
        ServerRequirement.Require("redis-server");
        var configuration = typeof(ThreeRegionsTests).Assembly.Location.Contains("debug", StringComparison.Ordinal)
            ? "Debug" : "Release";
        await using var sample = ServiceProcess.StartScript(
            RepositoryRoot.Combine("samples", "three-regions", "run"),
            ["--no-build", "--configuration", configuration, .. arguments, "--", "--format", "csv"]);

        (await sample.End()).ShouldBe(0, sample.ToString());

        var lines = sample.Output.Lines.Select(line => line.Split(',')).ToList();
        var rows = lines.Skip(1)
            .Select(cells => lines[0].Zip(cells).ToDictionary(cell => cell.First, cell => cell.Second)).ToList();
        rows.Select(row => $"{row["source"]} {row["destination"]} {row["published_average_ms"]}").ShouldBe(
            [
                "beijing shanghai 28.35", "beijing shenzhen 34.2", "shanghai beijing 28.35", "shanghai shenzhen 29",
                "shenzhen beijing 34.2", "shenzhen shanghai 29",
            ],
            ignoreOrder: true, sample.ToString());
        return rows;
    }
}
