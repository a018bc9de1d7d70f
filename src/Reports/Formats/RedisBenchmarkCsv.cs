using System.Globalization;
using System.Text;

namespace RedisLatency.Reports.Formats;

/// <summary>What redis-benchmark prints with <c>--csv</c>; before 6.2 a name and a rate, and no heading.</summary>
internal static class RedisBenchmarkCsv
{
    private const int Columns = 8;

    private static readonly double[] Percentiles = [50, 95, 99];

    public static bool IsIn(string text) => RowsOf(text).FirstOrDefault() is { } first
        && (first is ["test", "rps", ..] || (first.Count == 2 && text.StartsWith('"') && IsNumber(first[1])));

    public static ImportedMeasurement Read(ForeignFile file, string text)
    {
        var rows = RowsOf(text).Where(row => row is not ["test", "rps", ..]).ToList();
        return RedisBenchmarkResult.Measurement(file, "CSV", [.. rows.Select(TestOf)],
        [
            "Its CSV does not say how many requests there were.",
            .. rows.Exists(row => row.Count == 2) ? ["This one has rates alone."] : Array.Empty<string>(),
        ]);
    }

    private static RedisBenchmarkResult TestOf(IReadOnlyList<string> row)
    {
        if (row.Count is not (2 or Columns))
            throw new ImportException($"{row.Count} columns where redis-benchmark has 2 or {Columns}: it is truncated");
        var test = new RedisBenchmarkResult(row[0]) { Rate = Number(row[1]) };
        return row.Count == 2 ? test : test with
        {
            Figures = new GivenFigures
            {
                MeanNs = Time(row[2]),
                MinNs = Time(row[3]),
                Percentiles = Percentiles.Index().ToDictionary(one => one.Item, one => Time(row[4 + one.Index])),
                MaxNs = Time(row[7]),
            },
        };
    }

    private static bool IsNumber(string text) => double.TryParse(text, CultureInfo.InvariantCulture, out _);

    private static double Number(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && number is >= 0 and < double.PositiveInfinity
            ? number
            : throw new ImportException($"'{text}' where redis-benchmark has a number");

    private static double Time(string text) => GivenFigures.Nanoseconds(Number(text), RedisBenchmarkResult.Millisecond);

    // Every value is in quotation marks; a name may have a comma.
    private static IEnumerable<IReadOnlyList<string>> RowsOf(string text)
    {
        foreach (var line in text.Split('\n').Select(line => line.TrimEnd('\r')).Where(line => line.Length > 0))
        {
            var (cells, cell, isQuoted) = (new List<string>(), new StringBuilder(), false);
            foreach (var letter in line)
            {
                if (letter == '"')
                    isQuoted = !isQuoted;
                else if (letter == ',' && !isQuoted)
                    (_, cell) = (Take(cells, cell), new StringBuilder());
                else
                    cell.Append(letter);
            }

            if (isQuoted)
                throw new ImportException("a line of the CSV ends within a value: it is truncated");
            Take(cells, cell);
            yield return cells;
        }
    }

    private static int Take(List<string> cells, StringBuilder cell)
    {
        cells.Add(cell.ToString());
        return cells.Count;
    }
}
