using System.Globalization;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// One stream of one producer, as the record has it: its summary is named <c>run/instance/stream</c> (sixteen
/// hexadecimal digits where the hello was missed), its peer is <c>instance</c> or <c>instance in region</c>, and what
/// its end frame said was sent is its count of sent messages.
/// </summary>
public sealed record ServedProducer(
    string Run, string Instance, string? Region, int Stream, IReadOnlyList<RecordedMetric> Metrics)
{
    private const char Separator = '/';
    private const string InRegion = " in ";

    public bool HasEnded => Count(Counted.Sent) is not null;

    /// <summary>Messages of its warm-up: what was echoed beside the messages that count.</summary>
    public long WarmUp =>
        (Count(Counted.Echoed) ?? 0) + (Count(Counted.Kept) ?? 0) - (Count(Counted.Received) ?? 0)
            - (Count(Counted.Duplicated) ?? 0) - (Count(Counted.Corrupted) ?? 0);

    /// <summary>What it is called: <c>run/instance/stream</c>.</summary>
    public string Name => string.Create(CultureInfo.InvariantCulture, $"{Run}{Separator}{Instance}{Separator}{Stream}");

    /// <summary>Who it is: <c>instance</c>, or <c>instance in region</c>.</summary>
    public string Peer => Region is null ? Instance : $"{Instance}{InRegion}{Region}";

    /// <summary>How many of its messages there were; null where that is not known.</summary>
    public long? Count(Metric metric) => Metrics.Count(metric);

    /// <summary>The producer of a summary; null where it is of something else.</summary>
    public static ServedProducer? Of(RunSummary summary)
    {
        var parts = summary.Name.Split(Separator);
        if (parts.Length != 3 || !int.TryParse(parts[2], CultureInfo.InvariantCulture, out var stream))
            return null;
        var peer = summary.Peers.Count > 0 ? summary.Peers[0].Split(InRegion) : [];
        return new ServedProducer(parts[0], parts[1], peer.Length == 2 ? peer[1] : null, stream, summary.Metrics);
    }
}
