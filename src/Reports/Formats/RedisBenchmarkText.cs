using System.Globalization;
using System.Text.RegularExpressions;

namespace RedisLatency.Reports.Formats;

/// <summary>What redis-benchmark prints for people, with and without <c>-q</c>, its progress among it.</summary>
internal static partial class RedisBenchmarkText
{
    private const string Distribution = "Latency by percentile distribution:";
    private const string Cumulative = "Cumulative distribution of latencies:";

    private static readonly double[] Percentiles = [50, 95, 99];

    public static bool IsIn(string text) =>
        LinesOf(text).Exists(line => Title().IsMatch(line) || Quiet().IsMatch(line));

    public static ImportedMeasurement Read(ForeignFile file, string text)
    {
        var lines = LinesOf(text);
        var tests = new List<RedisBenchmarkResult>();
        for (var at = 0; at < lines.Count; at++)
        {
            if (Title().Match(lines[at]) is { Success: true } title)
            {
                var block = lines.Skip(at + 1).TakeWhile(line => !Title().IsMatch(line)).ToList();
                tests.Add(OfBlock(title.Groups[1].Value, block));
                at += block.Count;
            }
            else if (Quiet().Match(lines[at]) is { Success: true } quiet)
            {
                tests.Add(OfLine(quiet));
            }
        }

        return RedisBenchmarkResult.Measurement(file, "text", tests, []);
    }

    // What a line shows in the end is behind its last return.
    private static List<string> LinesOf(string text) =>
        [.. text.Split('\n').Select(line => line.TrimEnd('\r').Split('\r')[^1])];

    private static RedisBenchmarkResult OfLine(Match line) => new(line.Groups["name"].Value)
    {
        Rate = Number(line.Groups["rate"]),
        Figures = line.Groups["p50"].Success
            ? new GivenFigures { Percentiles = new Dictionary<double, double> { [50] = Time(line.Groups["p50"]) } }
            : new GivenFigures(),
    };

    private static RedisBenchmarkResult OfBlock(string name, IEnumerable<string> lines)
    {
        var test = new RedisBenchmarkResult(name);
        var (steps, isDistribution) = (new GivenSteps(), false);
        foreach (var line in lines)
        {
            isDistribution = line.StartsWith(Distribution, StringComparison.Ordinal)
                || (isDistribution && !line.StartsWith(Cumulative, StringComparison.Ordinal));
            if (Completed().Match(line) is { Success: true } done)
            {
                test = test with
                {
                    Requests = GivenFigures.Whole(Number(done.Groups[1])),
                    Seconds = Number(done.Groups[2]),
                };
            }
            else if (Clients().Match(line) is { Success: true } clients)
                test = test with { Clients = (int)Math.Min(1e6, Number(clients.Groups[1])) };
            else if (Threads().Match(line) is { Success: true } threads)
                test = test with { Threads = (int)Math.Min(1e6, Number(threads.Groups[1])) };
            else if (Throughput().Match(line) is { Success: true } rate)
                test = test with { Rate = Number(rate.Groups[1]) };
            else if (isDistribution && Step().Match(line) is { Success: true } step)
                steps.Add(Number(step.Groups[1]), Time(step.Groups[2]), GivenFigures.Whole(Number(step.Groups[3])));
            else if (Summary().Match(line) is { Success: true } summary)
                test = test with { Figures = FiguresOf(summary) };
        }

        if (test.Requests is null || test.Rate is null)
            throw new ImportException($"the result of {name} is not whole");
        if (steps.Count > 0 && !steps.IsWhole)
            throw new ImportException($"the percentile distribution of {name} is not whole");
        var known = steps.Known().Concat(test.Figures.Percentiles).DistinctBy(one => one.Key).ToDictionary();
        return test with { Figures = test.Figures with { Percentiles = known } };
    }

    // avg, min, p50, p95, p99, max.
    private static GivenFigures FiguresOf(Match line)
    {
        var values = line.Groups[1].Captures.Select(capture => Time(capture)).ToList();
        return new GivenFigures
        {
            MeanNs = values[0],
            MinNs = values[1],
            Percentiles = Percentiles.Index().ToDictionary(one => one.Item, one => values[2 + one.Index]),
            MaxNs = values[5],
        };
    }

    private static double Time(Capture text) =>
        GivenFigures.Nanoseconds(Number(text), RedisBenchmarkResult.Millisecond);

    private static double Number(Capture text) =>
        double.TryParse(text.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number
            : throw new ImportException($"'{text.Value}' where redis-benchmark has a number");

    [GeneratedRegex(@"^\s*====== (.{1,200}) ======")]
    private static partial Regex Title();

    [GeneratedRegex(
        @"^\s*(?<name>[^\r\n]{1,200}?): (?<rate>[\d.]{1,20}) requests per second(, p50=(?<p50>[\d.]{1,20}) msec)?\s*$")]
    private static partial Regex Quiet();

    [GeneratedRegex(@"^\s*(\d{1,18}) requests completed in ([\d.]{1,20}) seconds")]
    private static partial Regex Completed();

    [GeneratedRegex(@"^\s*(\d{1,9}) parallel clients")]
    private static partial Regex Clients();

    [GeneratedRegex(@"^\s*threads: (\d{1,9})")]
    private static partial Regex Threads();

    // Before 6.2 it stood alone.
    [GeneratedRegex(@"^\s*(?:throughput summary: )?([\d.]{1,20}) requests per second")]
    private static partial Regex Throughput();

    [GeneratedRegex(@"^([\d.]{1,20})% <= ([\d.]{1,20}) milliseconds \(cumulative count (\d{1,18})\)")]
    private static partial Regex Step();

    [GeneratedRegex(@"^(?:\s+(\d{1,15}\.\d{3})){6}\s*$")]
    private static partial Regex Summary();
}
