using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Server;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Results;

/// <summary>Of two servers every place prints the same percentile, and the same difference.</summary>
public sealed partial class OneNumberTests
{
    // What four significant digits leave open.
    private const double Rounding = 0.0006;

    private static readonly Dictionary<string, string> OneScreen = new()
    {
        ["REDISLATENCY__Output__Details"] = "false",
        ["REDISLATENCY__Show__Details"] = "false",
    };

    [Theory]
    [InlineData("Producer", "rtt-intended", "--rate 4000 --iterations 11000 --warmup 100")]
    [InlineData("Workloads", "service", "--records 500 --operations 11000 --warmup 100ms")]
    public async Task Run_OnTwoServersOfDifferentSpeed_PrintsOneNumberForOneThing(
        string service, string series, string line)
    {
        using var near = InProcessServer.Start();
        using var far = InProcessServer.Start();
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, far.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(5)),
        });

        string[] servers = ["--redis", near.Endpoint, "--redis", $"redis://127.0.0.1:{link.PortOf()}"];
        await using var process = ServiceProcess.Start(
            service, OneScreen, [.. servers, .. line.Split(' '), "--live", "none"]);
        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());
        await using var whole = ServiceProcess.Start(
            service, OneScreen, "show", SavedRun.Of(process).Folder, "--details");
        (await whole.End()).ShouldBe(0, whole.ToString());

        var result = ResultOf(process);
        ResultOf(whole).ShouldBe(result);
        var table = ComparisonOf(process);
        string.Join(" ", table.Keys).ShouldBe("p50 p90 p99", process.ToString());
        ComparisonOf(whole).ShouldBe(table);
        foreach (var (percentile, row) in table)
            row.Times.ShouldBe(result[$"comparison.{series}.{percentile}.ratio"], 0.001, process.ToString());
        // Of the 99th it says how many times only where pauses of the machine leave it a difference.
        var sentence = SentenceOf(process);
        sentence.ShouldContainKey("p50", process.ToString());
        foreach (var (percentile, times) in sentence)
            times.ShouldBe(table[percentile].Times, percentile);
        // Of a load each turn is a phase, and nothing is said of all turns of a server but what is compared.
        if (service != "Producer")
            return;
        var trips = RoundTripsOf(whole);
        foreach (var (percentile, row) in table)
        {
            row.FirstNs.ShouldBe(trips[percentile].FirstNs, 2 * row.FirstNs * Rounding, whole.ToString());
            row.SecondNs.ShouldBe(trips[percentile].SecondNs, 2 * row.SecondNs * Rounding, whole.ToString());
        }

        foreach (var percentile in new[] { "p50", "p99" })
        {
            var (first, second) = (result[$"a.{series}.{percentile}"], result[$"b.{series}.{percentile}"]);
            table[percentile].FirstNs.ShouldBe(first, first * Rounding, process.ToString());
            table[percentile].SecondNs.ShouldBe(second, second * Rounding, process.ToString());
        }
    }

    private static Dictionary<string, double> ResultOf(ServiceProcess process) =>
        process.Output.Lines[^1].Split(' ').Select(word => word.Split('='))
            .Where(pair => pair.Length == 2 && pair[0].Contains(".p", StringComparison.Ordinal))
            .ToDictionary(pair => pair[0], pair => Number(pair[1]));

    // By percentile: what it is of both, in nanoseconds, and how many times as long the second takes.
    private static Dictionary<string, (double FirstNs, double SecondNs, double Times)> ComparisonOf(
        ServiceProcess process) =>
        process.Output.Lines.Select(line => ComparisonRow().Match(line)).Where(row => row.Success).ToDictionary(
            row => row.Groups["percentile"].Value,
            row => (Nanoseconds(row, "a"), Nanoseconds(row, "b"), Number(row.Groups["times"].Value)));

    private static Dictionary<string, double> SentenceOf(ServiceProcess process)
    {
        var text = string.Join(' ', process.Output.Lines.Take(4).Select(line => line.Trim()));
        return ComparedInWords().Matches(text).ToDictionary(
            part => part.Groups["percentile"].Value, part => Number(part.Groups["times"].Value));
    }

    // The first block of the table has the headline of both.
    private static Dictionary<string, (double FirstNs, double SecondNs)> RoundTripsOf(ServiceProcess process)
    {
        var lines = process.Output.Lines.SkipWhile(line => !line.StartsWith("ROUND TRIP, ", StringComparison.Ordinal))
            .TakeWhile(line => line.Length > 0).ToList();
        lines[1].ShouldMatch(@"^ +a\.rtt-intended +b\.rtt-intended ", process.ToString());
        var unit = UnitNs(lines[0].Split(", ")[1]);
        return lines.Select(line => RoundTripRow().Match(line)).Where(row => row.Success).ToDictionary(
            row => row.Groups["percentile"].Value,
            row => (Number(row.Groups["a"].Value) * unit, Number(row.Groups["b"].Value) * unit));
    }

    private static double Nanoseconds(Match row, string group)
    {
        var words = row.Groups[group].Value.Split(' ');
        return Number(words[0]) * UnitNs(words[1]);
    }

    private static double UnitNs(string unit) => unit switch { "ns" => 1, "µs" => 1e3, "ms" => 1e6, _ => 1e9 };

    private static double Number(string text) =>
        double.Parse(text, NumberStyles.Float | NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"^  (?<percentile>p[\d.]+) +(?<a>[\d.,]+ .?s) +(?<b>[\d.,]+ .?s) +(better|worse|no difference shown)"
            + @" +(?<times>[\d.]+) ",
        RegexOptions.ExplicitCapture)]
    private static partial Regex ComparisonRow();

    [GeneratedRegex(@"(?<percentile>p[\d.]+) (better|worse), (?<times>[\d.]+) times", RegexOptions.ExplicitCapture)]
    private static partial Regex ComparedInWords();

    [GeneratedRegex(@"^  (?<percentile>p[\d.]+) +~?(?<a>[\d.,]+) +~?(?<b>[\d.,]+)", RegexOptions.ExplicitCapture)]
    private static partial Regex RoundTripRow();
}
