using System.Globalization;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Consumer.Reporting;

/// <summary>
/// One stream of one producer, as the record has it: its summary is named <c>run/instance/stream</c>, its peer is
/// <c>instance</c> or <c>instance in region</c>, and what its end frame said was sent is its count of sent messages.
/// </summary>
/// <param name="Run">The run that it is of; sixteen hexadecimal digits where its hello was missed.</param>
/// <param name="Instance">Which process of the run; likewise.</param>
/// <param name="Region">Where it stands, or null.</param>
/// <param name="Stream">Which of its parallel streams.</param>
/// <param name="Counts">What became of its messages.</param>
internal sealed record ServedProducer(string Run, string Instance, string? Region, int Stream, MessageCounts Counts)
{
    private const char Separator = '/';
    private const string InRegion = " in ";

    /// <summary>Whether it has said that it is done.</summary>
    public bool HasEnded => Counts.Sent is not null;

    /// <summary>Messages of its warm-up: what was echoed beside the messages that count.</summary>
    public long WarmUp =>
        (Counts.Echoed ?? 0) - (Counts.Received ?? 0) - (Counts.Duplicated ?? 0) - (Counts.Corrupted ?? 0);

    /// <summary>What it is called: <c>run/instance/stream</c>.</summary>
    public string Name => string.Create(CultureInfo.InvariantCulture, $"{Run}{Separator}{Instance}{Separator}{Stream}");

    /// <summary>Who it is: <c>instance</c>, or <c>instance in region</c>.</summary>
    public string Peer => Region is null ? Instance : $"{Instance}{InRegion}{Region}";

    /// <summary>What was served, from the live stream; its thread must have ended.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="ownRun">The Consumer's own run: a producer of it is named even where its hello was missed.</param>
    public static ServedProducer Of(ServedStream stream, string ownRun)
    {
        var counts = stream.Count();
        var isOwn = stream.Run == RunIdentity.OfRun(ownRun);
        return new ServedProducer(
            Plain(stream.Content?.Run) ?? (isOwn ? ownRun : Hexadecimal(stream.Run)),
            Plain(stream.Content?.Instance) ?? Hexadecimal(stream.Producer),
            Plain(stream.Content?.Region),
            stream.Stream,
            new MessageCounts
            {
                Sent = stream.HasEnded ? counts.Sent : null,
                Received = counts.Received + counts.BeyondSent,
                Echoed = stream.Received + stream.WarmUp,
                Lost = counts.Lost,
                Duplicated = counts.Duplicated,
                Reordered = counts.Reordered,
                Corrupted = counts.Refused,
            });
    }

    /// <summary>The producer of a summary; null where it is of something else.</summary>
    public static ServedProducer? Of(RunSummary summary)
    {
        var parts = summary.Name.Split(Separator);
        if (parts.Length != 3 || !int.TryParse(parts[2], CultureInfo.InvariantCulture, out var stream))
            return null;
        var peer = summary.Peers.Count > 0 ? summary.Peers[0].Split(InRegion) : [];
        return new ServedProducer(parts[0], parts[1], peer.Length == 2 ? peer[1] : null, stream, summary.Counts);
    }

    // A hello is what anybody may have sent: neither a terminal nor the record's own separators take harm from it.
    private static string? Plain(string? name) => string.IsNullOrEmpty(name)
        ? null
        : string.Create(Math.Min(name.Length, 64), name, (plain, given) =>
        {
            for (var i = 0; i < plain.Length; i++)
                plain[i] = char.IsAsciiLetterOrDigit(given[i]) || given[i] is '-' or '_' or '.' ? given[i] : '_';
        });

    private static string Hexadecimal(ulong number) => number.ToString("x16", CultureInfo.InvariantCulture);
}
