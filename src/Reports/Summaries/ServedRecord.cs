using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>A Consumer's run record as it is printed: at the end of a run, and when a saved one is shown.</summary>
public sealed class ServedRecord(RunRecord record)
{
    /// <summary>The role of the records that this understands.</summary>
    public const string Role = "consumer";

    /// <summary>The name of the summary of everything that came, with the residence.</summary>
    public const string Everything = "all";

    /// <summary>The name of the summary of plain decimal counts, which do not say whose they are.</summary>
    public const string PlainCounts = "plain counts";

    /// <summary>The name of the summary of frames in another version of the protocol.</summary>
    public const string OtherVersion = "other version";

    public const string ConnectionLost = "lost";

    /// <summary>The kind of the event that the server refused echoes.</summary>
    public const string EchoesRefused = "refused";

    public RunRecord Record { get; } = record;

    /// <summary>What it served, a row for each stream of a producer.</summary>
    public IReadOnlyList<ServedProducer> Producers { get; } =
        [.. record.Summaries.Select(ServedProducer.Of).OfType<ServedProducer>()];

    /// <summary>Messages sent back, warm-up, end frames and plain counts among them.</summary>
    public long Echoed => Count(Everything, Counted.Echoed);

    /// <summary>Messages taken and, as their producers asked, not sent back.</summary>
    public long Kept => Count(Everything, Counted.Kept);

    /// <summary>Plain decimal counts, sent back unchanged.</summary>
    public long Plain => Count(PlainCounts, Counted.Received);

    /// <summary>Messages that were neither frames nor counts, or somebody's echoes; not answered.</summary>
    public long Foreign => Count(Everything, Counted.Foreign);

    /// <summary>Damaged frames; not answered.</summary>
    public long Corrupted => Count(Everything, Counted.Corrupted);

    /// <summary>Frames of another version; not answered.</summary>
    public long OtherVersions => Count(OtherVersion, Counted.Received);

    public int ConnectionsLost => Record.Events.Count(happened => happened.Kind == ConnectionLost);

    /// <summary>How long messages were kept; null where the record does not say.</summary>
    public LatencySeries? Residence => Find(Everything)?.Latencies is [var residence, ..] ? residence : null;

    /// <summary>How long it served, in nanoseconds; several of them from the first start to the last end.</summary>
    public long Duration => Find(Everything)?.DurationNs
        ?? Record.Phases.LastOrDefault(phase => phase.Name == "measure")?.DurationNs ?? 0;

    /// <summary>What became of the messages that it was to measure one way by itself.</summary>
    public long CountForward(Metric metric) => Count(Everything, metric);

    private long Count(string name, Metric metric) => Find(name)?.Count(metric) ?? 0;

    private RunSummary? Find(string name) => Record.Summaries.FirstOrDefault(summary => summary.Name == name);
}
