using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Matrix;

/// <summary>The delays between regions as sections.</summary>
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

    private string Heading => !matrix.IsOneWay ? "REPLICATION DELAY, ms, from when keys were sent"
        : matrix.Rows.Any(row => row.Series == RecordRegions.FromSent)
            ? "ONE WAY BETWEEN REGIONS, ms, from when messages were sent"
            : "ONE WAY BETWEEN REGIONS, ms, from when messages were due";

    private string[] Counts => matrix.IsOneWay ? ["messages", "missing"] : ["keys", "not read"];

    private bool IsNumbered => matrix.Rows.Any(row => Arrow(row.Source, row.Destination).Length > LongestPair);

    private bool HasMeasured => matrix.Rows.Any(row => row.Runs > 0);

    private bool HasDoubt => matrix.Rows.Any(row => row.RunsInDoubt > 0);

    /// <summary>What was measured, and what was published and how far that differs.</summary>
    public IReadOnlyList<Section> ToSections()
    {
        List<Section> sections = [];
        if (HasMeasured)
        {
            var table = new Table(["from → to", "average", "95th", "99th", "±", .. Counts]);
            foreach (var row in matrix.Rows)
                table.Add([PairOf(row), .. Measured(row)]);
            sections.Add(new Section(Heading).Add(table));
        }

        if (matrix.Reference is not null)
        {
            string[] differences = HasMeasured ? ["Δ average", "Δ 95th", "Δ 99th"] : [];
            var table = new Table(["from → to", "average", "95th", "99th", .. differences]);
            foreach (var row in matrix.Rows)
                table.Add([PairOf(row), .. Published(row), .. HasMeasured ? Differences(row) : []]);
            sections.Add(new Section(
                "PUBLISHED, ms" + (HasMeasured ? ", and measured less published (Δ)" : string.Empty)).Add(table));
        }

        return sections is [.., var last]
            ? [.. sections[..^1], last.Add(IsNumbered ? _regions.Select(region => $"{NumberOf(region)}: {region}") : [])
                .Add(Notes())]
            : [];
    }

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

    private static string[] Published(MatrixRow row) =>
        [Show(row.Published?.Average), Show(row.Published?.P95), Show(row.Published?.P99)];

    private static string[] Measured(MatrixRow row)
    {
        var (measured, least, most) = (row.Measured, row.Least, row.Most);
        return
        [
            Show(measured.Average, measured.WhyNoAverage, least.Average, most.Average),
            Show(measured.P95, measured.WhyNoP95, least.P95, most.P95),
            Show(measured.P99, measured.WhyNoP99, least.P99, most.P99),
            Show(row.AverageError),
            row.Runs == 0 ? Quantity.None : Quantity.Count(row.Read) + (row.RunsInDoubt > 0 ? " !" : string.Empty),
            row.Runs == 0 ? Quantity.None : Quantity.Count(row.NotRead),
        ];
    }

    private IEnumerable<string> Notes()
    {
        if (HasMeasured)
        {
            yield return matrix.IsOneWay
                ? "±: how far each figure may be wrong, because the two clocks are not known better (E)."
                : "±: how far the average may be wrong, because a key came between two polls and, of two hosts, "
                    + "because their clocks are not known better.";
        }

        List<string> cells = [.. matrix.Rows.SelectMany(row => Measured(row)[..3])];
        if (cells.Contains(TooFew))
            yield return $"few: fewer than ten {Counts[0]} lie above that percentile, so it is not known.";
        if (cells.Contains(Missing))
        {
            yield return matrix.IsOneWay
                ? "missing: not known, because messages that did not come back count as slower than all others."
                : "missing: not known, because keys that were not read, or whose writer's clock was not known, "
                    + "count as slower than all others.";
        }

        if (cells.Exists(cell => cell.Contains(Between, StringComparison.Ordinal)))
            yield return "a..b: between these two; polls were too far apart to know more.";
        if (HasDoubt)
            yield return "!: a run among them is doubtful, not valid or ended early; see its result.";
        if (matrix.Reference is { } reference)
        {
            var ofKeys = matrix.IsOneWay ? " They are of replicated keys, not of messages." : string.Empty;
            yield return $"published: {reference.Source}; another network, other servers.{ofKeys}";
        }
    }
}
