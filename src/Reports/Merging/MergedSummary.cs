using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>What was measured on one target, or in one phase, by all parts.</summary>
internal sealed class MergedSummary(RunSummary first, string mark)
{
    private const int MostPeers = 1_000;

    private readonly Dictionary<string, (long? Missing, long AtLeast)> _missing = [];
    private readonly MergedMetrics _metrics = new();
    private readonly MergedDoubts _doubts = new();
    private readonly List<MergedPair> _pairs = [];
    private readonly SortedSet<string> _peers = new(StringComparer.Ordinal);
    private readonly MergedWorkload? _workload = first.Workload is null ? null : new();
    private DateTimeOffset? _startUtc = first.StartUtc;
    private long _without;
    private string? _noOneWayBecause;

    /// <summary>How fast all went.</summary>
    public MergedRates Rates { get; } = new();

    /// <summary>How many parts have no one-way latency though others have.</summary>
    public long WithoutOneWay => _pairs.Count == 0 ? 0 : _without;

    /// <summary>Whether a series is that of all operations together, which no log has.</summary>
    public static bool IsSum(string name) => name is Measured.Service or Measured.Response;

    /// <summary>Which series of all operations a tag is a part of; null where of none.</summary>
    public string? SumOf(string tag)
    {
        if (first.Workload is not { } workload || !tag.StartsWith(mark, StringComparison.Ordinal))
            return null;
        return first.Latencies.Where(series => IsSum(series.Name)
                && workload.Operations.Any(
                    operation => tag == mark + Measured.OfOperation(operation.Name, series.Name)))
            .Select(series => mark + series.Name).FirstOrDefault();
    }

    /// <summary>Adds a part's.</summary>
    /// <returns>What each of its consumers is called in the merged log, by what the part's log calls it.</returns>
    /// <param name="part">What it measured.</param>
    /// <param name="partMark">What precedes its series in its log.</param>
    /// <param name="instance">Which process it is.</param>
    /// <param name="rotated">Whose periods it is one of; null where it is all of its process.</param>
    public IEnumerable<(string From, string To)> Add(
        RunSummary part, string partMark, string instance, string? rotated)
    {
        _metrics.Add(part.Metrics);
        Rates.Add(part, rotated);
        _startUtc = part.StartUtc < _startUtc ? part.StartUtc : _startUtc;
        _peers.UnionWith(part.Peers.Take(MostPeers - Math.Min(_peers.Count, MostPeers)));
        foreach (var series in part.Latencies)
        {
            var (missing, atLeast) = _missing.GetValueOrDefault(series.Name, (0, 0));
            _missing[series.Name] = (missing + series.Missing, Math.Max(atLeast, series.MaxAtLeast ?? 0));
            _doubts.Add(series);
        }

        if (part.Workload is { } workload)
            _workload?.Add(workload);
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
    public RunSummary Create(IReadOnlyDictionary<string, MergedSeries> series) => first with
    {
        Peers = [.. _peers],
        StartUtc = Rates.DurationNs is null ? null : _startUtc,
        DurationNs = Rates.DurationNs,
        Metrics = _metrics.Rows,
        Rates = Rates.Rates,
        Latencies =
        [
            .. first.Latencies.Select(one =>
            {
                var (missing, atLeast) = _missing.GetValueOrDefault(one.Name, (0, 0));
                var table = series.TryGetValue(mark + one.Name, out var merged)
                    ? merged.Table(missing ?? 0, atLeast)
                    : PercentileTable.Of(MergedPair.Empty(missing ?? 0));
                return _doubts.Mark(
                    LatencySeries.Of(one.Name, table) with { Unit = one.Unit, Missing = missing });
            }),
        ],
        OneWay = [.. _pairs.Select(pair => pair.Create(series))],
        NoOneWayBecause = _pairs.Count > 0 ? null : _noOneWayBecause,
        Workload = _workload?.Create(),
    };
}

/// <summary>
/// What one phase of a workload did in all parts. What servers counted is of all clients, and does not add.
/// </summary>
internal sealed class MergedWorkload
{
    private WorkloadResult? _sum;

    public void Add(WorkloadResult part) => _sum = _sum is null
        ? part with { ServersAsked = 0, ServerCommands = [], Limit = null }
        : _sum with
        {
            Operations = [.. _sum.Operations.Zip(part.Operations, Sum)],
            Engine = _sum.Engine is { } own && part.Engine is { } other ? Sum(own, other) : null,
        };

    public WorkloadResult Create() => _sum!;

    private static OperationResult Sum(OperationResult a, OperationResult b) => a with
    {
        ErrorReplies = MergedCounts.Sum(a.ErrorReplies, b.ErrorReplies),
        ErrorExamples = MergedCounts.Firsts(a.ErrorExamples, b.ErrorExamples),
    };

    // Threads of all parts; connections and pipeline are those of the first where they differ, which a note says.
    private static EngineFacts Sum(EngineFacts a, EngineFacts b) => a with
    {
        Threads = a.Threads + b.Threads,
        Refusals = MergedCounts.Sum(a.Refusals, b.Refusals),
        RefusalExamples = MergedCounts.Firsts(a.RefusalExamples, b.RefusalExamples),
        Servers =
        [
            .. a.Servers.Concat(b.Servers).GroupBy(server => server.Address).Select(same => same.Last() with
            {
                Reads = same.Sum(server => server.Reads),
                Writes = same.Sum(server => server.Writes),
            }),
        ],
        // Each counts from its own start.
        PrimaryChanges = [],
    };
}

/// <summary>Adds counts by their names.</summary>
internal static class MergedCounts
{
    public static IReadOnlyDictionary<string, long> Sum(
        IReadOnlyDictionary<string, long> a, IReadOnlyDictionary<string, long> b) =>
        a.Concat(b).GroupBy(one => one.Key).ToDictionary(one => one.Key, one => one.Sum(count => count.Value));

    public static IReadOnlyDictionary<string, string> Firsts(
        IReadOnlyDictionary<string, string> a, IReadOnlyDictionary<string, string> b) =>
        a.Concat(b).DistinctBy(one => one.Key).ToDictionary();
}
