using System.Globalization;
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
    public long Echoed => CountsOf(Everything).Echoed ?? 0;

    /// <summary>Messages taken and, as their producers asked, not sent back.</summary>
    public long Kept => CountsOf(Everything).Kept ?? 0;

    /// <summary>Plain decimal counts, sent back unchanged.</summary>
    public long Plain => CountsOf(PlainCounts).Received ?? 0;

    /// <summary>Messages that were neither frames nor counts, or somebody's echoes; not answered.</summary>
    public long Foreign => CountsOf(Everything).Foreign ?? 0;

    /// <summary>Damaged frames; not answered.</summary>
    public long Corrupted => CountsOf(Everything).Corrupted ?? 0;

    /// <summary>Frames of another version; not answered.</summary>
    public long OtherVersions => CountsOf(OtherVersion).Received ?? 0;

    public int ConnectionsLost => Record.Events.Count(happened => happened.Kind == ConnectionLost);

    /// <summary>How long messages were kept; null where the record does not say.</summary>
    public LatencySeries? Residence => Find(Everything)?.Latencies is [var residence, ..] ? residence : null;

    /// <summary>How long it served, in nanoseconds.</summary>
    public long Duration => Find(Everything)?.DurationNs ?? 0;

    private MessageCounts CountsOf(string name) => Find(name)?.Counts ?? new MessageCounts();

    private RunSummary? Find(string name) => Record.Summaries.FirstOrDefault(summary => summary.Name == name);
}

/// <summary>
/// One stream of one producer, as the record has it: its summary is named <c>run/instance/stream</c> (sixteen
/// hexadecimal digits where the hello was missed), its peer is <c>instance</c> or <c>instance in region</c>, and what
/// its end frame said was sent is its count of sent messages.
/// </summary>
public sealed record ServedProducer(string Run, string Instance, string? Region, int Stream, MessageCounts Counts)
{
    private const char Separator = '/';
    private const string InRegion = " in ";

    public bool HasEnded => Counts.Sent is not null;

    /// <summary>Messages of its warm-up: what was echoed beside the messages that count.</summary>
    public long WarmUp =>
        (Counts.Echoed ?? 0) + (Counts.Kept ?? 0) - (Counts.Received ?? 0) - (Counts.Duplicated ?? 0)
            - (Counts.Corrupted ?? 0);

    /// <summary>What it is called: <c>run/instance/stream</c>.</summary>
    public string Name => string.Create(CultureInfo.InvariantCulture, $"{Run}{Separator}{Instance}{Separator}{Stream}");

    /// <summary>Who it is: <c>instance</c>, or <c>instance in region</c>.</summary>
    public string Peer => Region is null ? Instance : $"{Instance}{InRegion}{Region}";

    /// <summary>The producer of a summary; null where it is of something else.</summary>
    public static ServedProducer? Of(RunSummary summary)
    {
        var parts = summary.Name.Split(Separator);
        if (parts.Length != 3 || !int.TryParse(parts[2], CultureInfo.InvariantCulture, out var stream))
            return null;
        var peer = summary.Peers.Count > 0 ? summary.Peers[0].Split(InRegion) : [];
        return new ServedProducer(parts[0], parts[1], peer.Length == 2 ? peer[1] : null, stream, summary.Counts);
    }
}
