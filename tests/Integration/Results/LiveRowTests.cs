using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Results;

public sealed partial class LiveRowTests
{
    [Fact]
    public async Task EveryNumberOfARow_IsOfTheSameMoment()
    {
        await using var process = ServiceProcess.Start(
            "Producer", "--rate", "20000", "--duration", "5s", "--live", "rich");

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        var lines = process.Output.Lines.Select(line => Escape().Replace(line, string.Empty)).ToList();
        var counts = Numbers(lines, "messages");
        counts.Count.ShouldBeGreaterThan(3, process.ToString());
        // What was sent is back, under way, lost or late; one may be about to be counted.
        foreach (var (row, missing) in counts.Zip(Numbers(lines, "missing")))
        {
            row[1].ShouldBeLessThanOrEqualTo(row[0]);
            Math.Abs(row[0] - (row[1] + row[2] + missing[0] + missing[1])).ShouldBeLessThanOrEqualTo(
                1, process.ToString());
        }

        foreach (var span in (string[])["interval", "phase"])
        {
            var (intended, actual) = (Numbers(lines, $"rtt-intended, {span}"), Numbers(lines, $"rtt, {span}"));
            intended.Count.ShouldBe(counts.Count);
            foreach (var (late, early) in intended.Zip(actual))
                late.Zip(early).ShouldAllBe(pair => pair.First >= pair.Second, process.ToString());
        }
    }

    private static List<double[]> Numbers(IEnumerable<string> lines, string name) =>
    [
        .. lines.Where(line => line.StartsWith(name, StringComparison.Ordinal)).Select(line => Number()
            .Matches(line[name.Length..])
            .Select(number => double.Parse(number.Value, CultureInfo.InvariantCulture)).ToArray()),
    ];

    [GeneratedRegex(@"\e\[[0-9;?]*[A-Za-z]")]
    private static partial Regex Escape();

    [GeneratedRegex(@"\d[\d,]*(\.\d+)?")]
    private static partial Regex Number();
}
