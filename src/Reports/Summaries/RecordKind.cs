using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a record is of: all in which records of producers, consumers, loads and replications differ.</summary>
internal abstract class RecordKind
{
    private static readonly RecordKind[] Kinds =
        [new ServedKind(), new LoadKind(), new SyncKind(), new VerifyKind(), new DelayKind(), new MessageKind()];

    /// <summary>The metrics that the line for scripts names, in this order.</summary>
    public abstract IReadOnlyList<string> ResultMetrics { get; }

    /// <summary>Whether its summaries are phases, one after the other; those of others are of the same time.</summary>
    public virtual bool HasPhases => false;

    public static RecordKind Of(RunRecord record) => Kinds.First(kind => kind.IsOf(record));

    /// <summary>What was measured.</summary>
    public abstract IEnumerable<Section> Sections(RunRecord record);

    /// <summary>What came out, in one sentence; of a record that has a summary.</summary>
    public abstract string Sentence(RunRecord record);

    /// <summary>The summaries of which the line for scripts tells, by their places.</summary>
    public virtual IEnumerable<int> ResultPlaces(RunRecord record) => Enumerable.Range(0, record.Summaries.Count);

    /// <summary>What else the line for scripts names.</summary>
    public virtual string? ResultWord(RunRecord record) => null;

    /// <summary>Which of its summaries are measured.</summary>
    public virtual IEnumerable<RunSummary> Measured(RunRecord record) => record.Summaries;

    /// <summary>The summaries that have consumers.</summary>
    public virtual IEnumerable<RunSummary> Consumed(RunRecord record) =>
        record.Summaries.Where(summary => summary.Peers.Count > 0);

    /// <summary>A row for each series, for programs.</summary>
    public virtual Table ToCsv(RunRecord record) => SeriesCsv.Of(record);

    /// <summary>The words of the command that measured it.</summary>
    public virtual string Command(RunRecord record) => record.Role;

    protected abstract bool IsOf(RunRecord record);

    protected static IEnumerable<string> NamesOf(params IEnumerable<Metric> metrics) =>
        metrics.Select(metric => metric.Name);
}

internal sealed class MessageKind : RecordKind
{
    public override IReadOnlyList<string> ResultMetrics { get; } =
    [
        .. NamesOf(Counted.Sent, Counted.Returned, Counted.Lost, Counted.Late),
        "rtt-intended.p50", "rtt-intended.p99", "rtt.p50", "rtt.p99",
        DeclaredMetrics.Measured.ClockError, "forward-intended.p50", "forward.p50", "back-intended.p50", "back.p50",
    ];

    public override IEnumerable<Section> Sections(RunRecord record)
    {
        if (record.Summaries.Count == 0)
            return [];
        var latency = new LatencySection(record).Create();
        // Of two servers in turns the comparison is the answer.
        var extent = record.Comparison is null ? Extent.Both : Extent.Details;
        return
        [
            .. new MessageSection(record).Create(),
            .. latency is null ? Array.Empty<Section>() : [latency.Within(extent)],
            // Of several regions the ways between them are the answer, and not those from all to one.
            .. record.Regions is { } regions
                ? RegionSections.Of(regions)
                    .Concat(new OneWaySection(record).Create().Select(one => one.Within(Extent.Details)))
                : new OneWaySection(record).Create(),
        ];
    }

    public override string Sentence(RunRecord record) => AnswerLine.Messages(record);

    // An option that only one of them has says which it was.
    public override string Command(RunRecord record) =>
        record.Options.Any(option => option.Name == "regions") ? "mesh" : record.Role;

    protected override bool IsOf(RunRecord record) => true;
}

internal sealed class ServedKind : RecordKind
{
    public override IReadOnlyList<string> ResultMetrics { get; } =
        [Counted.Echoed.Name, "forward.p50", DeclaredMetrics.Measured.ClockError];

    public override IEnumerable<Section> Sections(RunRecord record) =>
        new ServedSection(new ServedRecord(record)).Create();

    public override string Sentence(RunRecord record) => AnswerLine.Served(new ServedRecord(record));

    // The others only count what came from whom.
    public override IEnumerable<RunSummary> Measured(RunRecord record) => record.Summaries.Take(1);

    public override IEnumerable<RunSummary> Consumed(RunRecord record) => [];

    public override IEnumerable<int> ResultPlaces(RunRecord record) => base.ResultPlaces(record).Take(1);

    public override string ResultWord(RunRecord record) => $"served={new ServedRecord(record).Producers.Count}";

    public override Table ToCsv(RunRecord record) => ServedCsv.Of(new ServedRecord(record));

    protected override bool IsOf(RunRecord record) => record.Role == ServedRecord.Role;
}

internal sealed class LoadKind : RecordKind
{
    public override IReadOnlyList<string> ResultMetrics { get; } =
    [
        .. NamesOf(
            Counted.Sent, Counted.Returned, Counted.Unsent, Counted.Lost, Counted.TimedOut, Counted.Errors,
            Counted.Misses),
        "throughput", Cost.CpuPerOperation.Name,
        "response.p50", "response.p99", "service.p50", "service.p99",
    ];

    public override bool HasPhases => true;

    public override IEnumerable<Section> Sections(RunRecord record) => new WorkloadSection(record).Create();

    public override string Sentence(RunRecord record) => AnswerLine.Phase(record);

    // Of a search the step that is its answer; of two servers in turns each phase is a turn of one.
    public override IEnumerable<int> ResultPlaces(RunRecord record)
    {
        var phases = WorkloadResults.PhasesOf(record);
        var answer = record.Search?.Answer?.Phase;
        return record.Comparison is not null ? []
            : phases.Where(phase => WorkloadResults.Of(phase).Phase == answer).Concat(phases.TakeLast(1)).Take(1)
                .Select(phase => record.Summaries.ToList().IndexOf(phase));
    }

    public override string ResultWord(RunRecord record) => $"phases={WorkloadResults.PhasesOf(record).Count}";

    public override Table ToCsv(RunRecord record) => WorkloadCsv.Of(record);

    // Options that only one verb has say which it was.
    public override string Command(RunRecord record) => record.Scenario is not null ? "load scenario"
        : record.Summaries.Select(summary => summary.Workload?.Verb).OfType<string>().Distinct().ToList() is [var verb]
        ? $"load {verb}"
        : "load";

    protected override bool IsOf(RunRecord record) => record.Role == WorkloadResults.Role;
}

internal abstract class ReplicationKind : RecordKind
{
    public override IReadOnlyList<string> ResultMetrics { get; } =
    [
        .. NamesOf(
            Counted.Sent, Counted.Returned, Counted.Read, Counted.Keys, Counted.Commands, Counted.Equal,
            Counted.Differences, Counted.Unsettled, Counted.Filtered, Counted.Skipped, Counted.Missing),
        "extra", .. NamesOf(Counted.Overwritten, Counted.Refused, Counted.Unread, Counted.Unsent),
        DeclaredMetrics.Measured.ClockError, "delay-intended.p50", "delay-intended.p99",
        "delay.p50", "delay.p99", "lag.p50", "lag.p99",
    ];
}

internal sealed class SyncKind : ReplicationKind
{
    public override IEnumerable<Section> Sections(RunRecord record) =>
    [
        new SyncSection(record).Create(),
        .. record.Summaries[^1].Verify is null ? Array.Empty<Section>() : [VerifySection.Of(record.Summaries[^1])],
    ];

    public override string Sentence(RunRecord record) => SyncSection.Sentence(record.Summaries[0]);

    public override IEnumerable<int> ResultPlaces(RunRecord record) => [0];

    // Options that only one verb has say which it was.
    public override string Command(RunRecord record)
    {
        var names = record.Options.Select(option => option.Name).ToHashSet();
        return names.Contains("count") ? "scan"
            : names.Contains("spool") ? "sync"
            : names.Contains("until") ? "aof"
            : "rdb";
    }

    protected override bool IsOf(RunRecord record) => record.Summaries is [{ Sync: not null }, ..];
}

internal sealed class VerifyKind : ReplicationKind
{
    public override IEnumerable<Section> Sections(RunRecord record) => [VerifySection.Of(record.Summaries[0])];

    public override string Sentence(RunRecord record) => VerifySection.Sentence(record.Summaries[0]);

    public override string Command(RunRecord record) => "verify";

    protected override bool IsOf(RunRecord record) => record.Summaries is [{ Verify: not null }, ..];
}

internal sealed class DelayKind : ReplicationKind
{
    public override IEnumerable<Section> Sections(RunRecord record)
    {
        var summary = SummaryOf(record);
        return (summary.Delay is { ReadElsewhere: true }
            ? new WritingSection(summary).Create()
            : new DelaySection(summary).Create()).Concat(new PartsSection(record).Create());
    }

    public override string Sentence(RunRecord record) => AnswerLine.Delay(SummaryOf(record));

    public override string Command(RunRecord record)
    {
        var names = record.Options.Select(option => option.Name).ToHashSet();
        return !names.Contains("destination") ? "replication delay write"
            : !names.Contains("source") ? "replication delay read"
            : !names.Contains("duration") ? "replication delay check"
            : "replication delay";
    }

    protected override bool IsOf(RunRecord record) => record.Summaries.Any(summary => summary.Delay is not null);

    private static RunSummary SummaryOf(RunRecord record) =>
        record.Summaries.First(summary => summary.Delay is not null);
}
