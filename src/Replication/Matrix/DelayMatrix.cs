using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Matrix;

/// <summary>The delays of every pair of regions; several runs of one pair are one row, of all their keys.</summary>
internal sealed class DelayMatrix
{
    private static readonly DelayFigures Nothing = new(null, null, null);

    public DelayMatrix(IReadOnlyList<SavedDelay> runs, PublishedDelays? reference)
    {
        Reference = reference;
        var regions = runs.SelectMany(run => new[] { SourceOf(run), DestinationOf(run) })
            .Concat(reference?.Pairs.SelectMany(pair => new[] { pair.From, pair.To }) ?? [])
            .Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        var measured = runs.GroupBy(
            run => (SourceOf(run).ToUpperInvariant(), DestinationOf(run).ToUpperInvariant())).ToList();
        var rows = measured.Select(pair => RowOf([.. pair]))
            .Concat(reference?.Pairs.Where(pair => !measured.Exists(known =>
                    known.Key == (pair.From.ToUpperInvariant(), pair.To.ToUpperInvariant())))
                .Select(pair => Unmeasured(pair.From, pair.To, pair.Figures)) ?? []);
        Rows = [.. rows.OrderBy(row => PlaceOf(row.Source)).ThenBy(row => PlaceOf(row.Destination))];

        int PlaceOf(string region) =>
            regions.FindIndex(known => known.Equals(region, StringComparison.OrdinalIgnoreCase));
    }

    public IReadOnlyList<MatrixRow> Rows { get; }
    public PublishedDelays? Reference { get; }

    private static string SourceOf(SavedDelay run) => run.Delay.SourceRegion ?? run.Delay.Source;

    private static string DestinationOf(SavedDelay run) => run.Delay.DestinationRegion ?? run.Delay.Destination;

    private static MatrixRow Unmeasured(string from, string to, DelayFigures published) => new()
    {
        Source = from,
        Destination = to,
        Measured = Nothing,
        Least = Nothing,
        Most = Nothing,
        Published = published,
    };

    private MatrixRow RowOf(IReadOnlyList<SavedDelay> runs)
    {
        var (least, most) = (FiguresOf(runs.Select(run => run.Least)), FiguresOf(runs.Select(run => run.Most)));
        return new MatrixRow
        {
            Source = SourceOf(runs[0]),
            Destination = DestinationOf(runs[0]),
            Measured = FiguresOf(runs.Select(run => run.Middle)).Between(least, most),
            Least = least,
            Most = most,
            Published = Reference?.Of(SourceOf(runs[0]), DestinationOf(runs[0])),
            Runs = runs.Count,
            RunsInDoubt = runs.Count(run => run.Record.Partial || run.Record.Verdict.Status != VerdictStatus.Valid),
            Read = runs.Sum(run => run.Delay.Read),
            NotRead = runs.Sum(run => run.Delay.Asked - run.Delay.Read),
        };
    }

    private static DelayFigures FiguresOf(IEnumerable<LatencyHistogram> parts)
    {
        var all = LatencyHistogram.ForLatency();
        foreach (var part in parts)
            all.Add(part);
        return DelayFigures.Of(all);
    }
}

internal sealed record MatrixRow
{
    public required string Source { get; init; }
    public required string Destination { get; init; }

    // The middles of what the delays can be, where these are no wide intervals; all null where the pair was not
    // measured.
    public required DelayFigures Measured { get; init; }
    public required DelayFigures Least { get; init; }
    public required DelayFigures Most { get; init; }
    public DelayFigures? Published { get; init; }
    public int Runs { get; init; }
    public int RunsInDoubt { get; init; }
    public long Read { get; init; }
    public long NotRead { get; init; }

    public double? AverageError => (Most.Average - Least.Average) / 2;
}
