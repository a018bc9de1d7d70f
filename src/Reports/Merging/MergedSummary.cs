using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>What was measured on one target, or in one phase, by all parts.</summary>
internal sealed class MergedSummary(RunSummary first, string mark)
{
    private const int MostPeers = 1_000;

    private readonly Dictionary<string, (long Missing, long AtLeast)> _missing = [];
    private readonly List<MergedPair> _pairs = [];
    private readonly SortedSet<string> _peers = new(StringComparer.Ordinal);
    private readonly MergedWorkload? _workload = first.Workload is null ? null : new();
    private MessageCounts? _counts;
    private MessageRates? _rates;
    private long? _durationNs;
    private long _without;
    private string? _noOneWayBecause;

    /// <summary>How many parts have no one-way latency though others have.</summary>
    public long WithoutOneWay => _pairs.Count == 0 ? 0 : _without;

    /// <summary>Whether a series is that of all operations together, which no log has.</summary>
    public static bool IsSum(string name) => name is "service" or "response";

    /// <summary>Which series of all operations a tag is a part of; null where of none.</summary>
    public string? SumOf(string tag)
    {
        if (first.Workload is not { } workload || !tag.StartsWith(mark, StringComparison.Ordinal))
            return null;
        return first.Latencies.Where(series => IsSum(series.Name)
                && workload.Operations.Any(operation => tag == $"{mark}{operation.Name}-{series.Name}"))
            .Select(series => mark + series.Name).FirstOrDefault();
    }

    /// <summary>Adds a part's.</summary>
    /// <returns>What each of its consumers is called in the merged log, by what the part's log calls it.</returns>
    public IEnumerable<(string From, string To)> Add(RunSummary part, string partMark, string instance)
    {
        _counts = _counts is null ? part.Counts : MergedCounts.Sum(_counts, part.Counts);
        _rates = _rates is null ? part.Rates : MergedCounts.Sum(_rates, part.Rates);
        _durationNs = _durationNs is null || part.DurationNs > _durationNs ? part.DurationNs : _durationNs;
        _peers.UnionWith(part.Peers.Take(MostPeers - Math.Min(_peers.Count, MostPeers)));
        foreach (var series in part.Latencies)
        {
            var (missing, atLeast) = _missing.GetValueOrDefault(series.Name);
            _missing[series.Name] = (missing + series.Missing, Math.Max(atLeast, series.MaxAtLeast ?? 0));
        }

        if (part.Workload is { } workload)
            _workload?.Add(workload, part.Counts.Sent ?? 0);
        _noOneWayBecause ??= part.NoOneWayBecause;
        _without += part.OneWay.Count == 0 ? 1 : 0;
        var names = new Dictionary<string, int>();
        for (var place = 0; place < part.OneWay.Count; place++)
        {
            // Two consumers of one name are not the same one.
            var pair = part.OneWay[place];
            var turn = names[pair.Consumer] = names.GetValueOrDefault(pair.Consumer) + 1;
            var merged = _pairs.FindIndex(known => known.Is(pair.Consumer, turn));
            if (merged < 0)
            {
                merged = _pairs.Count;
                _pairs.Add(new MergedPair(pair.Consumer, turn, MergedPair.MarkOf(mark, merged)));
            }

            _pairs[merged].Add(pair, instance);
            yield return (MergedPair.MarkOf(partMark, place), MergedPair.MarkOf(mark, merged));
        }
    }

    /// <param name="series">All series by their tags.</param>
    /// <param name="isConcurrent">Whether all parts measured at one time, so that rates add.</param>
    public RunSummary Create(IReadOnlyDictionary<string, MergedSeries> series, bool isConcurrent) => first with
    {
        Peers = [.. _peers],
        DurationNs = _durationNs,
        Counts = _counts ?? first.Counts,
        Rates = isConcurrent ? _rates ?? first.Rates : new MessageRates(),
        Latencies =
        [
            .. first.Latencies.Select(one =>
            {
                var (missing, atLeast) = _missing.GetValueOrDefault(one.Name);
                var table = series.TryGetValue(mark + one.Name, out var merged)
                    ? merged.Table(missing, atLeast)
                    : PercentileTable.Of(MergedPair.Empty(missing));
                return LatencySeries.Of(one.Name, table) with { Unit = one.Unit };
            }),
        ],
        OneWay = [.. _pairs.Select(pair => pair.Create(series))],
        NoOneWayBecause = _pairs.Count > 0 ? null : _noOneWayBecause,
        Workload = _workload?.Create(),
    };
}
