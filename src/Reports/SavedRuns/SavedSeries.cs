using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;
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
    public void WriteTo(TextWriter writer) => SectionText.Write(writer, Sections());

    private IEnumerable<Section> Sections()
    {
        var verdict = new Section("VERDICT  none: the run was killed, or is still under way");
        if (_from is null)
        {
            yield return verdict.Add($"There is no run.json, and its interval log holds no interval: {_run.LogFile}");
            yield break;
        }

        var torn = _run.HasTornTail ? ", the last line is torn" : string.Empty;
        yield return verdict
            .Add("There is no run.json. What the interval log holds is shown, without what was lost, refused or "
                + "unsent.")
            .Add(string.Create(
                CultureInfo.InvariantCulture, $"from {_from:yyyy-MM-dd HH:mm:ss} UTC to {_until:HH:mm:ss}{torn}"));
        var table = new Table("tag", "n", "p50", "p99", "p99.9", "max");
        foreach (var (tag, values) in _series)
        {
            table.Add(
                tag.Length == 0 ? "(none)" : tag, Quantity.Count(values.TotalCount), At(values, 50), At(values, 99),
                At(values, 99.9), values.TotalCount == 0 ? Quantity.None : Quantity.Duration(values.Max));
        }

        yield return new Section("SERIES").Add(table);
        yield return new Section("FILES").Add(_run.LogFile);
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

    private static string At(LatencyHistogram values, double percentile) =>
        values.TotalCount == 0 ? Quantity.None : LatencyTable.Cell(PercentileRow.Of(values, percentile));
}
