using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.IntervalLogs;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Hosting.Results;

/// <summary>What a run left that was killed before it could write its record: the series of its interval log.</summary>
internal sealed class UnfinishedRun
{
    private readonly SortedDictionary<string, LatencyHistogram> _series = new(StringComparer.Ordinal);
    private readonly string _file;
    private readonly bool _isTorn;
    private readonly DateTimeOffset? _from;
    private readonly DateTimeOffset _until;

    private UnfinishedRun(string file)
    {
        _file = file;
        using var stream = File.OpenRead(file);
        var log = new IntervalLogReader(stream);
        foreach (var interval in log.ReadAll())
        {
            _from ??= interval.Start;
            _until = interval.Start + interval.Length;
            var tag = interval.Tag ?? string.Empty;
            if (!_series.TryGetValue(tag, out var sum))
                _series.Add(tag, sum = LatencyHistogram.ForLatency());
            sum.Add(interval.Histogram);
        }

        _isTorn = log.HasTornTail;
    }

    /// <returns>Null where there is no interval log either.</returns>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="Metrics.Encodings.HistogramFormatException">It is no interval log.</exception>
    public static UnfinishedRun? In(string folder) =>
        ResultsFolder.Find(folder, ResultsFolder.IntervalLogName) is { } file ? new UnfinishedRun(file) : null;

    public void WriteTo(TextWriter writer)
    {
        writer.WriteLine("VERDICT  none: the run was killed, or is still under way; there is no run.json.");
        if (_from is null)
        {
            writer.Line($"Its interval log holds no interval: {_file}");
            return;
        }

        writer.Line("What its interval log holds is shown, without what was lost, refused or unsent.");
        var torn = _isTorn ? ", the last line is torn" : string.Empty;
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
        writer.Line(_file);
    }

    // Fewer than ten above it, and it is not known.
    private static string At(LatencyHistogram values, double percentile) =>
        values.TotalCount == 0 ? Quantity.None
        : percentile < 100 && values.TotalCount * (100 - percentile) < 1_000 ? "few"
        : Quantity.Duration(values.ValueAtPercentile(percentile));
}
