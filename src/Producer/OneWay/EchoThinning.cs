using RedisLatency.Messaging.Stamps;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Producer.OneWay;

/// <summary>
/// Chooses which echoed messages are clock probes: of each run in a batch the quickest there and the quickest back,
/// which loses no tightness but what the clocks drift within a run.
/// </summary>
internal static class EchoThinning
{
    // 2,500 a second of batches of a twentieth of one. A tracker holds back 32,768 at most, and has to hold back what
    // came in the ten seconds for which it waits for a host's word of a suspension.
    private const int MostOfABatch = 125;

    /// <summary>The batch is of one consumer, in the order in which messages returned.</summary>
    public static void Feed(ReadOnlySpan<MessageStamps> batch, OffsetTracker tracker)
    {
        var run = ((2 * batch.Length) + MostOfABatch - 1) / MostOfABatch;
        if (batch.Length <= MostOfABatch)
            run = 1;
        for (var from = 0; from < batch.Length; from += run)
            FeedRun(batch.Slice(from, Math.Min(run, batch.Length - from)), tracker);
    }

    private static void FeedRun(ReadOnlySpan<MessageStamps> run, OffsetTracker tracker)
    {
        int there = 0, back = 0;
        for (var i = 1; i < run.Length; i++)
        {
            if (run[i].Received - run[i].Sent < run[there].Received - run[there].Sent)
                there = i;
            if (run[i].Returned - run[i].Echoed < run[back].Returned - run[back].Echoed)
                back = i;
        }

        tracker.Add(ProbeOf(run[Math.Min(there, back)]));
        if (there != back)
            tracker.Add(ProbeOf(run[Math.Max(there, back)]));
    }

    private static ClockProbe ProbeOf(in MessageStamps stamps) =>
        new(stamps.Sent, stamps.Received, stamps.Echoed, stamps.Returned);
}
