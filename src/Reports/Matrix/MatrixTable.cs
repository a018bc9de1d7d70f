using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Matrix;

public sealed class MatrixTable(DelayMatrix matrix)
{
    private const double NanosecondsPerMillisecond = 1e6;
    private const string TooFew = "few";
    private const string Missing = "missing";
    private const string Between = "..";
    private const int LongestPair = 48;

    private readonly List<string> _regions =
    [
        .. matrix.Rows.SelectMany(row => new[] { row.Source, row.Destination })
            .Distinct(StringComparer.OrdinalIgnoreCase),
    ];

    private string[] Heads =>
    [
        "from", "to", "average", "95th", "99th", "±", "keys", "not read",
        .. matrix.Reference is null ? Array.Empty<string>() : ["publ. average", "95th", "99th"],
    ];

    private bool IsNumbered => matrix.Rows.Any(row => Arrow(row.Source, row.Destination).Length > LongestPair);

    private bool HasMeasured => matrix.Rows.Any(row => row.Runs > 0);

    private bool HasDoubt => matrix.Rows.Any(row => row.RunsInDoubt > 0);

    public void WriteText(TextWriter writer)
    {
        // From and to are one column here: a table that is too wide repeats its first one.
        if (HasMeasured)
        {
            writer.WriteLine("REPLICATION DELAY, ms, from when keys were sent");
            var table = new TextTable(["from → to", .. Heads[2..8]]);
            foreach (var row in matrix.Rows)
                table.Add([PairOf(row), .. Cells(row)[2..8]]);
            table.WriteTo(writer);
        }

        if (matrix.Reference is not null)
        {
            if (HasMeasured)
                writer.WriteLine();
            writer.WriteLine("PUBLISHED, ms" + (HasMeasured ? ", and measured less published (Δ)" : string.Empty));
            string[] differences = HasMeasured ? ["Δ average", "Δ 95th", "Δ 99th"] : [];
            var published = new TextTable(["from → to", "average", "95th", "99th", .. differences]);
            foreach (var row in matrix.Rows)
            {
                published.Add([PairOf(row), .. Cells(row)[8..], .. HasMeasured ? Differences(row) : []]);
            }

            published.WriteTo(writer);
        }

        if (IsNumbered)
            _regions.ForEach(region => writer.Line($"{NumberOf(region)}: {region}"));
        foreach (var note in Notes())
            writer.Line(note);
    }

    /// <summary>The same for a page.</summary>
    public PageTable ToTable() => new(
        "Milliseconds from when keys were sent", Heads, [.. matrix.Rows.Select(Cells)])
    {
        Notes = [.. Notes()],
    };

    public void WriteMarkdown(TextWriter writer)
    {
        writer.WriteLine($"| {string.Join(" | ", Heads)} |");
        writer.WriteLine($"|---|---|{string.Concat(Enumerable.Repeat("---:|", Heads.Length - 2))}");
        foreach (var row in matrix.Rows)
            writer.WriteLine($"| {string.Join(" | ", Cells(row).Select(Escape))} |");
        writer.WriteLine();
        writer.WriteLine(string.Join(' ', Notes().Prepend("In milliseconds, from when keys were sent.")));
    }

    private static string Escape(string cell) => cell.Replace("|", "\\|", StringComparison.Ordinal);

    private static string Show(double? nanoseconds) => nanoseconds is { } value ? Milliseconds(value) : Quantity.None;

    private static string Show(double? nanoseconds, UnknownPercentile? why, double? least, double? most) => why switch
    {
        _ when nanoseconds is { } value => Milliseconds(value),
        UnknownPercentile.MissingSamples => Missing,
        UnknownPercentile.WideInterval => $"{Show(least)}{Between}{Show(most)}",
        UnknownPercentile.TooFewSamples => TooFew,
        UnknownPercentile.Negative => "negative",
        _ => Quantity.None,
    };

    private static string Milliseconds(double nanoseconds) =>
        (nanoseconds / NanosecondsPerMillisecond).ToString("0.00", CultureInfo.InvariantCulture);

    private static IEnumerable<string> Differences(MatrixRow row)
    {
        return [Less(row.Measured.Average, row.Published?.Average),
            Less(row.Measured.P95, row.Published?.P95), Less(row.Measured.P99, row.Published?.P99)];

        static string Less(double? measured, double? published) => (measured - published) is { } difference
            ? (difference / NanosecondsPerMillisecond).ToString("+0.00;-0.00;0.00", CultureInfo.InvariantCulture)
            : Quantity.None;
    }

    private static string Arrow(string source, string destination) => $"{source} → {destination}";

    private string PairOf(MatrixRow row) => IsNumbered
        ? Arrow(NumberOf(row.Source), NumberOf(row.Destination))
        : Arrow(row.Source, row.Destination);

    private string NumberOf(string region) => FormattableString.Invariant(
        $"{_regions.FindIndex(known => known.Equals(region, StringComparison.OrdinalIgnoreCase)) + 1}");

    private string[] Cells(MatrixRow row)
    {
        var (measured, least, most) = (row.Measured, row.Least, row.Most);
        return
        [
            row.Source,
            row.Destination,
            Show(measured.Average, measured.WhyNoAverage, least.Average, most.Average),
            Show(measured.P95, measured.WhyNoP95, least.P95, most.P95),
            Show(measured.P99, measured.WhyNoP99, least.P99, most.P99),
            Show(row.AverageError),
            row.Runs == 0 ? Quantity.None : Quantity.Count(row.Read) + (row.RunsInDoubt > 0 ? " !" : string.Empty),
            row.Runs == 0 ? Quantity.None : Quantity.Count(row.NotRead),
            .. matrix.Reference is null
                ? Array.Empty<string>()
                : [Show(row.Published?.Average), Show(row.Published?.P95), Show(row.Published?.P99)],
        ];
    }

    private IEnumerable<string> Notes()
    {
        if (HasMeasured)
            yield return "±: how far the average may be wrong, because a key came between two polls and, of two hosts, "
                + "because their clocks are not known better.";
        List<string> cells = [.. matrix.Rows.SelectMany(row => Cells(row)[2..5])];
        if (cells.Contains(TooFew))
            yield return "few: fewer than ten keys lie above that percentile, so it is not known.";
        if (cells.Contains(Missing))
            yield return "missing: not known, because keys that were not read, or whose writer's clock was not known, "
                + "count as slower than all others.";
        if (cells.Exists(cell => cell.Contains(Between, StringComparison.Ordinal)))
            yield return "a..b: between these two; polls were too far apart to know more.";
        if (HasDoubt)
            yield return "!: a run among them is doubtful, not valid or ended early; see its result.";
        if (matrix.Reference is { } reference)
            yield return $"published: {reference.Source}; another network, other servers.";
    }
}
