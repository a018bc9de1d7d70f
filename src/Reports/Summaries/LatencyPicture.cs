using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// How a run's latency went over time, in one line, and how it spread, in eleven rows: of its interval log.
/// </summary>
internal sealed class LatencyPicture
{
    private const int Rows = 11;
    private const int MostCells = 40;
    private const int BesideCells = 18;
    private const int MostBar = 60;
    private const int BesideBar = 40;
    private const string Levels = "▁▂▃▄▅▆▇█";

    private static readonly string[] Names =
        ["rtt-intended", "rtt", Measured.Delay, Measured.Response, Measured.Service, "residence"];

    private static readonly int[] Percentiles = [99, 90, 50];

    private readonly List<LoggedInterval> _intervals = [];
    private readonly LatencyHistogram _all = LatencyHistogram.ForLatency();
    private readonly LatencySeries _series;

    private LatencyPicture(LatencySeries series, string mark, string log)
    {
        _series = series;
        using var file = File.OpenRead(log);
        var headline = new Headline(mark, series.Name, series.Percentiles);
        foreach (var interval in new IntervalLogReader(file, headline.IsLoggedAs).ReadAll())
        {
            if (_intervals.Count == 0 && interval.Histogram.TotalCount == 0)
                continue;
            // A workload logs its operations one by one, in intervals of the same start.
            if (_intervals.Count > 0 && _intervals[^1].Start == interval.Start)
                _intervals[^1].Histogram.Add(interval.Histogram);
            else
                _intervals.Add(interval);
            _all.Add(interval.Histogram);
        }
    }

    /// <summary>Null where there is no log, or nothing in it to show.</summary>
    public static LatencyPicture? Of(RunRecord record, string? folder)
    {
        for (var place = record.Summaries.Count - 1; place >= 0; place--)
        {
            var summary = record.Summaries[place];
            var latencies = summary.Workload is { IsFloor: true } ? [] : summary.Latencies;
            var series = Names.Select(name => latencies.FirstOrDefault(one => one.Name == name && one.Count > 1))
                .FirstOrDefault(one => one is not null);
            if (series is null || (summary.Delay is not null && place > 0))
                continue;
            return In(folder) is { } log && Read(series, RecordMetrics.MarkOf(record, place), log) is { } picture
                && picture._all.TotalCount > 1 ? picture : null;
        }

        return null;
    }

    /// <summary>Writes what of it there is room for, in lines.</summary>
    public void WriteTo(TextWriter writer, int room)
    {
        var time = OverTime(writer.PageWidth());
        if (room <= time.Count)
            return;
        writer.WriteLine();
        time.ForEach(writer.WriteLine);
        if (room > 1 + time.Count + Rows)
            WriteRows(writer);
    }

    private void WriteRows(TextWriter writer)
    {
        var (least, ratio) = (_all.Min, Math.Pow((double)_all.Max / Math.Max(1, _all.Min), 1.0 / Rows));
        var counts = new long[Rows];
        foreach (var value in _all.RecordedValues)
        {
            var row = ratio > 1 ? Math.Log((double)value.Median / Math.Max(1, least)) / Math.Log(ratio) : 0;
            counts[Math.Clamp((int)row, 0, Rows - 1)] += value.Count;
        }

        var missing = _series.Missing > 0 ? $"; {Quantity.Count(_series.Missing)} have no value" : string.Empty;
        writer.Fold("  ", $"{_series.Name}, how many took up to this long, and longer than the row above{missing}");
        var width = Math.Min(writer.PageWidth() - BesideBar, MostBar);
        for (var row = 0; row < Rows; row++)
        {
            var bound = Quantity.Duration(Math.Max(1, least) * Math.Pow(ratio, row + 1));
            var bar = new string('■', (int)Math.Ceiling((double)width * counts[row] / counts.Max()));
            writer.WriteLine($"  {bound,11} {Quantity.Count(counts[row]),13} {bar}".TrimEnd());
        }
    }

    // A line; two where what it comes to has no room beside it, and none where no percentile of it is known.
    private List<string> OverTime(int width)
    {
        var most = Math.Min(MostCells, width - _series.Name.Length - BesideCells);
        var size = (_intervals.Count + most - 1) / most;
        var cells = _intervals.Chunk(size).Select(Sum).ToList();
        var usual = cells.Select(cell => cell.TotalCount).Order().ElementAt(cells.Count / 2);
        var known = Percentiles.Where(one => IsKnown(one, usual) && _series.Percentiles.At(one)?.Value is not null);
        if (known.Cast<int?>().FirstOrDefault() is not { } percentile)
            return [];
        var values = cells.Select(cell => cell.TotalCount > 0 ? cell.ValueAtPercentile(percentile) : 0).ToList();
        var line = string.Concat(values.Select(value => value == 0 ? ' '
            : Levels[Math.Clamp((int)Math.Ceiling((double)Levels.Length * value / values.Max()) - 1, 0, 7)]));
        var each = Quantity.Duration((_intervals[^1].Start + _intervals[^1].Length - _intervals[0].Start)
            .TotalNanoseconds / cells.Count);
        var picture = $"  {_series.Name}.p{percentile} over time  {line}";
        var scale = $"up to {Quantity.Duration(values.Max())}, {each} each";
        return picture.Length + 2 + scale.Length <= width ? [$"{picture}  {scale}"] : [picture, $"    {scale}"];
    }

    private static bool IsKnown(int percentile, long samples) => samples >= PercentileRow.LeastSamples(percentile);

    private static LatencyHistogram Sum(LoggedInterval[] intervals)
    {
        var sum = LatencyHistogram.ForLatency();
        foreach (var interval in intervals)
            sum.Add(interval.Histogram);
        return sum;
    }

    private static string? In(string? folder) =>
        folder is null ? null : ResultsFolder.Find(folder, ResultsFolder.IntervalLogName);

    private static LatencyPicture? Read(LatencySeries series, string mark, string log)
    {
        try
        {
            return new LatencyPicture(series, mark, log);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or HistogramFormatException)
        {
            // The figures do not need it; who wants the log reads it himself, and is told then.
            return null;
        }
    }
}
