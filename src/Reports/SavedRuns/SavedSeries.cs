using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>The series of an interval log, each as one histogram: all that a run left that was killed.</summary>
public sealed class SavedSeries
{
    private readonly SortedDictionary<string, LatencyHistogram> _series = new(StringComparer.Ordinal);
    private readonly SavedRun _run;
    private readonly DateTimeOffset? _from;
    private readonly DateTimeOffset _until;

    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public SavedSeries(SavedRun run)
    {
        _run = run;
        foreach (var interval in run.ReadIntervals())
        {
            _from ??= interval.Start;
            _until = interval.Start + interval.Length;
            var tag = interval.Tag ?? string.Empty;
            if (!_series.TryGetValue(tag, out var sum))
                _series.Add(tag, sum = LatencyHistogram.ForLatency());
            sum.Add(interval.Histogram);
        }
    }

    /// <summary>Prints what the interval log of a run holds that has no record.</summary>
    public void WriteTo(TextWriter writer)
    {
        writer.WriteLine("VERDICT  none: the run was killed, or is still under way; there is no run.json.");
        if (_from is null)
        {
            writer.Line($"Its interval log holds no interval: {_run.LogFile}");
            return;
        }

        writer.Line("What its interval log holds is shown, without what was lost, refused or unsent.");
        var torn = _run.HasTornTail ? ", the last line is torn" : string.Empty;
        writer.Line(string.Create(
            CultureInfo.InvariantCulture, $"from {_from:yyyy-MM-dd HH:mm:ss} UTC to {_until:HH:mm:ss}{torn}"));
        writer.Heading("SERIES");
        var table = new TextTable("tag", "n", "p50", "p99", "p99.9", "max");
        foreach (var (tag, values) in _series)
        {
            table.Add(
                tag.Length == 0 ? "(none)" : tag, Quantity.Count(values.TotalCount), At(values, 50), At(values, 99),
                At(values, 99.9), At(values, 100));
        }

        table.WriteTo(writer);
        writer.Heading("FILES");
        if (_run.LogFile is { } file)
            writer.Line(file);
    }

    /// <summary>Prints the percentile distribution of each, for tools that read .hgrm.</summary>
    public void WriteDistributionsTo(TextWriter writer)
    {
        foreach (var (tag, values) in _series)
        {
            writer.WriteLine($"#[Series: {tag}, microseconds]");
            PercentileDistribution.Write(values, writer);
        }
    }

    // Fewer than ten above it, and it is not known.
    private static string At(LatencyHistogram values, double percentile) =>
        values.TotalCount == 0 ? Quantity.None
        : percentile < 100 && values.TotalCount * (100 - percentile) < 1_000 ? "few"
        : Quantity.Duration(values.ValueAtPercentile(percentile));
}
