namespace RedisLatency.Replication.Probe;

/// <summary>What became of heartbeats by a moment: asked = unsent + refused + seen + skipped + waiting.</summary>
internal readonly record struct HeartbeatCounts(
    long Sent, long Unsent, long Refused, long Seen, long Skipped, long Waiting, long Foreign, long AgeNs,
    long SilenceNs, long NewestSentNs, long HeldUp = 0)
{
    // Of those that were not sent, HeldUp were due while this process was held up: a newer one left.
    public long LeftOut => Unsent - HeldUp;

    public long WithoutDelay => LeftOut + Refused;

    public long Asked => Sent + Unsent;

    public static HeartbeatCounts operator +(HeartbeatCounts one, HeartbeatCounts other) => new(
        one.Sent + other.Sent,
        one.Unsent + other.Unsent,
        one.Refused + other.Refused,
        one.Seen + other.Seen,
        one.Skipped + other.Skipped,
        one.Waiting + other.Waiting,
        one.Foreign + other.Foreign,
        Math.Max(one.AgeNs, other.AgeNs),
        Math.Max(one.SilenceNs, other.SilenceNs),
        Math.Max(one.NewestSentNs, other.NewestSentNs),
        one.HeldUp + other.HeldUp);

    // What was taken for unsent while its writer was not heard of may have been sent all the same.
    public HeartbeatCounts Since(HeartbeatCounts before) => this with
    {
        Sent = Math.Max(0, Sent - before.Sent),
        Unsent = Math.Max(0, Unsent - before.Unsent),
        Refused = Refused - before.Refused,
        Seen = Seen - before.Seen,
        Skipped = Skipped - before.Skipped,
        Foreign = Foreign - before.Foreign,
        HeldUp = HeldUp - before.HeldUp,
    };
}
