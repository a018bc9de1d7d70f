using System.Globalization;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Presence;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer.Serving;

internal static class ServedProducers
{
    /// <summary>The stream's thread must have ended. A producer of the own run is named even without hello.</summary>
    public static ServedProducer Of(ServedStream stream, string ownRun)
    {
        var counts = stream.Count();
        var isOwn = stream.Run == RunIdentity.OfRun(ownRun);
        return new ServedProducer(
            Plain(stream.Content?.Run) ?? (isOwn ? ownRun : Hexadecimal(stream.Run)),
            Plain(stream.Content?.Instance) ?? Hexadecimal(stream.Producer),
            Plain(stream.Content?.Region),
            stream.Stream,
            [
                RecordedMetric.Of(Counted.Sent, stream.HasEnded ? counts.Sent : null),
                RecordedMetric.Of(Counted.Received, counts.Received + counts.BeyondSent),
                RecordedMetric.Of(Counted.Echoed, stream.Received + stream.WarmUp - stream.Kept),
                RecordedMetric.Of(Counted.Kept, stream.Kept),
                RecordedMetric.Of(Counted.Lost, counts.Lost) with { IsLeast = !stream.HasEnded },
                RecordedMetric.Of(Counted.Duplicated, counts.Duplicated),
                RecordedMetric.Of(Counted.Reordered, counts.Reordered),
                RecordedMetric.Of(Counted.Corrupted, counts.Refused),
            ]);
    }

    /// <summary>The producing process of a stream: <c>run/instance</c>.</summary>
    public static string NameOf(ServedStream stream, string ownRun)
    {
        var served = Of(stream, ownRun);
        return $"{served.Run}/{served.Instance}";
    }

    public static string NameOf(ulong producer) => Hexadecimal(producer);

    public static string Streams(long count) => count == 1 ? "1 stream" : $"{Quantity.Count(count)} streams";

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
