using System.Globalization;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer.Serving;

/// <summary>The rows of the record that say what a Consumer had of each producer.</summary>
internal static class ServedProducers
{
    /// <summary>The stream's thread must have ended. A producer of the own run is named even without hello.</summary>
    public static ServedProducer Of(ServedStream stream, string ownRun)
    {
        var counts = stream.Count();
        var isOwn = stream.Run == RunIdentity.OfRun(ownRun);
        return new ServedProducer(
            Named(stream.Content?.Run) ?? (isOwn ? ownRun : Hexadecimal(stream.Run)),
            Named(stream.Content?.Instance) ?? Hexadecimal(stream.Producer),
            stream.Content?.NamedRegion,
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

    private static string? Named(string? name) => string.IsNullOrEmpty(name) ? null : name;

    private static string Hexadecimal(ulong number) => number.ToString("x16", CultureInfo.InvariantCulture);
}
