using System.Globalization;
using System.Text;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>What another tool did between one start and one end, as the phase of a workload.</summary>
internal sealed class ImportedPhase(string name)
{
    private readonly List<OperationResult> _operations = [];
    private readonly List<RecordedMetric> _counts = [];
    private readonly List<LatencySeries> _latencies = [];

    public string Name { get; } = name;

    /// <summary>What precedes its series where there are several phases.</summary>
    public string Mark { get; init; } = string.Empty;

    public string Verb { get; init; } = "run";

    public long? DurationNs { get; init; }

    public double? Asked { get; init; }

    public double? Achieved { get; init; }

    public EngineFacts? Engine { get; init; }

    public long? ConnectionsLost { get; init; }

    /// <summary>A name of another tool as a name of a series: small letters, digits and hyphens.</summary>
    public static string Plain(string name)
    {
        const int Longest = 64;
        var plain = new StringBuilder();
        foreach (var letter in name.Split('(')[0].Trim().ToLowerInvariant())
        {
            if (char.IsAsciiLetterOrDigit(letter))
                plain.Append(letter);
            else if (plain.Length > 0 && plain[^1] != '-')
                plain.Append('-');
        }

        var end = plain.ToString().Trim('-');
        return end.Length == 0 ? "other" : end[..Math.Min(end.Length, Longest)].TrimEnd('-');
    }

    /// <summary>Adds an operation with what the other tool counted of it; what it does not say is null.</summary>
    public ImportedPhase Add(OperationResult operation, params IEnumerable<(Metric Metric, long? Count)> counts)
    {
        _operations.Add(operation);
        _counts.AddRange(counts.Select(one => RecordedMetric.Of(one.Metric, one.Count, operation.Name)));
        return this;
    }

    public ImportedPhase Add(LatencySeries series)
    {
        _latencies.Add(series);
        return this;
    }

    /// <summary>Where there is one operation alone, its series are those of all.</summary>
    public ImportedPhase AddSums()
    {
        if (_operations is [var only])
        {
            var start = $"{only.Name}-";
            _latencies.InsertRange(0, [.. _latencies
                .Where(series => series.Name.StartsWith(start, StringComparison.Ordinal))
                .Select(series => series with { Name = series.Name[start.Length..] })]);
        }

        return this;
    }

    public RunSummary Create() => new()
    {
        Name = Name,
        DurationNs = DurationNs,
        Metrics =
        [
            RecordedMetric.Of(Counted.Asked, Sum(Counted.Sent)),
            RecordedMetric.Of(Counted.Returned, Sum(Counted.Completed)),
            .. Counted.OfOperations.Select(metric => RecordedMetric.Of(metric, Sum(metric))),
            RecordedMetric.Of(Counted.ConnectionsLost, ConnectionsLost),
            .. _counts,
        ],
        Rates = new MessageRates { Asked = Asked, Achieved = Achieved },
        Latencies = _latencies,
        Workload = new WorkloadResult
        {
            Verb = Verb,
            Phase = Name,
            Tag = Mark,
            Options = Engine is null ? new Dictionary<string, string>() : new Dictionary<string, string>
            {
                ["clients"] = Text((long)Engine.Threads * Engine.ConnectionsPerThread),
                ["threads"] = Text(Engine.Threads),
            },
            Operations = _operations,
            Engine = Engine,
        },
    };

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    // Of all operations together it is not known where it is not of one.
    private long? Sum(Metric metric) => _operations.Aggregate(
        _operations.Count == 0 ? null : (long?)0, (sum, one) => sum + _counts.Count(metric, one.Name));
}
