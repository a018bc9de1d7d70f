using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// What the verdicts, options and events of the parts come to: a merged run is no better than its worst part, and what
/// differs between parts is named.
/// </summary>
internal sealed class MergedNotes
{
    private const int MostReasons = 50;
    private const int MostEvents = 1_000;
    private const int MostValues = 5;

    // What differs between any two processes of a run.
    private static readonly string[] OwnOptions =
        ["run", "instance", "region", "out", "details", "format", "live", "quiet", "verbose"];

    private static readonly VerdictStatus[] WorstFirst =
        [VerdictStatus.NotValid, VerdictStatus.NotJudged, VerdictStatus.Doubtful, VerdictStatus.Valid];

    private readonly Dictionary<string, List<string>> _options = [];
    private readonly Dictionary<string, int> _instances = [];
    private readonly List<RecordedOption> _first = [];
    private readonly List<string> _reasons = [];
    private readonly List<RunEvent> _events = [];
    private readonly SortedSet<string> _versions = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _targets = new(StringComparer.Ordinal);
    private readonly HashSet<int> _exitCodes = [];
    private VerdictStatus _worst = VerdictStatus.Valid;
    private double? _upTo;
    private bool _believesNothing;
    private long _moreReasons;
    private long _parts;
    private long _partial;
    private long _moreEvents;
    private string? _partialReason;

    /// <summary>What the parts' processes returned.</summary>
    public IReadOnlyCollection<int> ExitCodes => _exitCodes;

    /// <summary>The options that all parts share, as the first had them.</summary>
    public IReadOnlyList<RecordedOption> Options =>
        [.. _first.Where(option => OwnOptions.Contains(option.Name) ? option.Name == "run" : IsShared(option.Name))];

    public IReadOnlyList<RunEvent> Events => [.. _events.OrderBy(happened => happened.AtUtc)];

    public string? PartialReason => _partial == 0 ? null
        : $"{Quantity.Count(_partial)} of {Quantity.Count(_parts)} parts ended early, the first: {_partialReason}";

    public void Add(RunRecord record)
    {
        _parts++;
        if (!record.IsRotated)
            _instances[record.Instance] = _instances.GetValueOrDefault(record.Instance) + 1;
        if (_parts == 1)
            _first.AddRange(record.Options);
        foreach (var option in record.Options.GroupBy(option => option.Name))
            AddValue(option.Key, string.Join(", ", option.Select(one => one.Value)));
        foreach (var name in _options.Keys.Except(record.Options.Select(option => option.Name)).ToList())
            AddValue(name, "not given");
        _versions.Add(record.SuiteVersion.Split('+')[0]);
        if (record.Summaries is [var only])
            _targets.Add(only.Name);
        _exitCodes.Add(record.ExitCode);
        if (Array.IndexOf(WorstFirst, record.Verdict.Status) < Array.IndexOf(WorstFirst, _worst))
            _worst = record.Verdict.Status;
        if (record.Verdict.UpTo is { } most)
            _upTo = Math.Min(_upTo ?? most, most);
        _believesNothing |= record.Verdict is { UpTo: null, Status: VerdictStatus.Doubtful };
        foreach (var threshold in record.Thresholds.Where(threshold => threshold.Held != true))
            AddReason(record, $"the threshold {threshold.Expression} did not hold, or could not be judged.");
        foreach (var reason in record.Verdict.Reasons)
            AddReason(record, reason);
        if (record.Partial)
            (_partial, _partialReason) = (_partial + 1, _partialReason ?? $"{record.Instance}, {record.PartialReason}");
        foreach (var happened in record.Events)
        {
            if (_events.Count < MostEvents)
                _events.Add(happened with { Text = $"{record.Instance}: {happened.Text}" });
            else
                _moreEvents++;
        }
    }

    /// <param name="notes">What there is to say of the merging itself.</param>
    /// <param name="believed">The highest percentile of the whole that can be believed; null where none can.</param>
    public RunVerdict Verdict(IEnumerable<string> notes, double? believed) => new(_worst,
    [
        .. _reasons,
        .. _moreReasons > 0 ? [$"The parts have {Quantity.Count(_moreReasons)} more reasons."] : Array.Empty<string>(),
        .. notes,
        .. Differences(),
    ])
    {
        UpTo = _believesNothing || believed is null || _upTo is null ? null : Math.Min(_upTo.Value, believed.Value),
    };

    private IEnumerable<string> Differences()
    {
        foreach (var (name, values) in _options.Where(option => !OwnOptions.Contains(option.Key)
            && !IsShared(option.Key)))
        {
            var more = values.Count > MostValues ? " and others" : string.Empty;
            var said = char.IsAsciiLetterUpper(name[0]) ? name : $"--{name}";
            yield return $"The parts differ in {said}: {string.Join(" or ", values.Take(MostValues))}{more}.";
        }

        if (_targets.Count > 1)
        {
            var more = _targets.Count > MostValues ? " and others" : string.Empty;
            yield return "The parts have targets of several names: "
                + $"{string.Join(", ", _targets.Take(MostValues))}{more}.";
        }

        foreach (var (name, count) in _instances.Where(one => one.Value > 1).Take(MostValues))
            yield return $"{Quantity.Count(count)} processes call themselves {name}; none of them is counted twice.";
        if (_versions.Count > 1)
            yield return $"The parts were measured by RedisLatency {string.Join(" and ", _versions)}.";
        if (_moreEvents > 0)
            yield return $"{Quantity.Count(_moreEvents)} more events are in the parts' own records.";
    }

    private bool IsShared(string name) => _options.GetValueOrDefault(name) is not { Count: > 1 };

    private void AddValue(string name, string value)
    {
        if (!_options.TryGetValue(name, out var values))
            _options.Add(name, values = _parts > 1 ? ["not given"] : []);
        if (values.Count <= MostValues && !values.Contains(value))
            values.Add(value);
    }

    private void AddReason(RunRecord record, string reason)
    {
        if (_reasons.Count < MostReasons)
            _reasons.Add($"{record.Instance}: {reason}");
        else
            _moreReasons++;
    }
}
