using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// A percentile distribution as HdrHistogram prints it (.hgrm), one series or, as this suite prints it, several with a
/// comment in front of each. Its lines are steps: between two of them nothing is known.
/// </summary>
internal sealed partial class PercentileText
{
    private readonly List<(string Name, GivenSteps Steps, Dictionary<string, double> Footer)> _series = [];
    private readonly string _untagged;
    private double _unit;
    private int _decimals;

    private PercentileText(ImportQuestions questions) =>
        (_unit, _untagged) = ((double)questions.Unit, questions.Series);

    public static bool IsIn(ForeignFile file) => Heading().IsMatch(file.Beginning);

    public static ImportedMeasurement Read(ForeignFile file, ImportQuestions questions) =>
        new PercentileText(questions).Read(file);

    private ImportedMeasurement Read(ForeignFile file)
    {
        var next = _untagged;
        foreach (var line in file.ReadText().Split('\n').Select(line => line.TrimEnd('\r')))
        {
            if (Series().Match(line) is { Success: true } series)
                (next, _unit) = (ImportedPhase.Plain(series.Groups[1].Value), (double)ImportUnit.Us);
            else if (Heading().IsMatch(line))
                _series.Add((next, new GivenSteps(), []));
            else if (Footer().Match(line) is { Success: true } footer && _series.Count > 0)
                AddFooter(footer);
            else if (line.Length > 0 && !line.StartsWith('#'))
                AddStep(line);
        }

        if (_unit == 0)
        {
            throw new ImportException(
                "a percentile distribution does not say what its values are: add --unit us, ns or ms");
        }

        var phase = new ImportedPhase("run");
        foreach (var (name, steps, footer) in _series.Where(series => series.Steps.Count > 0))
            phase.Add(FiguresOf(name, steps, footer).ToSeries(name));
        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = "HdrHistogram",
                File = file.Name,
                Form = "percentile distribution",
                ResolutionNs = Math.Max(1, (long)Math.Round(_unit * Math.Pow(10, -_decimals))),
            },
            Summaries = phase.Create() is { Latencies.Count: > 0 } summary ? [summary]
                : throw new ImportException("the percentile distribution holds no value"),
            Notes =
            [
                .. _series.Exists(series => series.Name == _untagged)
                    ? [$"The file does not name what it timed; it is called {_untagged} here."]
                    : Array.Empty<string>(),
                "A percentile between two lines is known only where the line before it says that it reaches so far.",
            ],
        };
    }

    private GivenFigures FiguresOf(string name, GivenSteps steps, Dictionary<string, double> footer)
    {
        if (!steps.IsWhole
            || (footer.TryGetValue("Total count", out var total) && GivenFigures.Whole(total) != steps.Count))
            throw new ImportException($"the percentile distribution of {name} is not whole");
        return new GivenFigures
        {
            Count = steps.Count,
            MinNs = steps.MinNs,
            MaxNs = footer.TryGetValue("Max", out var max) ? GivenFigures.Nanoseconds(max, _unit) : steps.MaxNs,
            MeanNs = footer.TryGetValue("Mean", out var mean) ? GivenFigures.Nanoseconds(mean, _unit) : null,
            Percentiles = steps.Known(),
        };
    }

    private void AddStep(string line)
    {
        if (Step().Match(line) is not { Success: true } step || _series.Count == 0)
            throw new ImportException($"'{line.Trim()}' is no line of a percentile distribution");
        _decimals = Math.Max(_decimals, step.Groups[1].Value.Split('.').ElementAtOrDefault(1)?.Length ?? 0);
        // Exact in decimal, so that 0.999 is the percentile 99.9.
        var percentile = (double)(decimal.Parse(step.Groups[2].ValueSpan, CultureInfo.InvariantCulture) * 100);
        _series[^1].Steps.Add(
            percentile, GivenFigures.Nanoseconds(Number(step.Groups[1]), Math.Max(1, _unit)),
            GivenFigures.Whole(Number(step.Groups[3])));
    }

    private void AddFooter(Match line)
    {
        foreach (var (name, value) in line.Groups[1].Captures.Zip(line.Groups[2].Captures))
            _series[^1].Footer[name.Value.Trim()] = Number(value);
    }

    private static double Number(Capture text) => double.Parse(text.ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\s*Value\s+Percentile\s+TotalCount\s+1/\(1-Percentile\)", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"^#\[Series: (\S{1,200}), microseconds\]$")]
    private static partial Regex Series();

    [GeneratedRegex(@"^\s*(\d{1,18}(?:\.\d{1,9})?)\s+([01]\.\d{1,20})\s+(\d{1,18})(?:\s+\S{1,40})?\s*$")]
    private static partial Regex Step();

    [GeneratedRegex(@"^#\[(?:([A-Za-z ]{1,40})=\s*(\d{1,18}(?:\.\d{1,9})?)(?:, )?)+\]$")]
    private static partial Regex Footer();
}
