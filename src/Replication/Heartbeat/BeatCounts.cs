namespace RedisLatency.Replication.Heartbeat;

/// <summary>What became of heartbeats by a moment: asked = unsent + refused + seen + skipped + waiting.</summary>
/// <param name="Sent">That were sent.</param>
/// <param name="Unsent">That were due while there was no connection, or while this process was held up.</param>
/// <param name="Refused">That the source answered with an error.</param>
/// <param name="Seen">That were seen at the destination.</param>
/// <param name="Skipped">That were not, before a later one was there.</param>
/// <param name="Waiting">That were sent and nothing is known of yet.</param>
/// <param name="Foreign">Times that somebody else's value was found in the key.</param>
/// <param name="AgeNs">How long ago the newest one that was seen had been sent.</param>
/// <param name="SilenceNs">How long ago one was seen for the first time.</param>
/// <param name="NewestSentNs">When the last one was sent.</param>
internal readonly record struct BeatCounts(
    long Sent,
    long Unsent,
    long Refused,
    long Seen,
    long Skipped,
    long Waiting,
    long Foreign,
    long AgeNs,
    long SilenceNs,
    long NewestSentNs)
{
    /// <summary>
    /// Of those that were not sent, those that were due while this process was held up: a newer one left.
    /// </summary>
    public long HeldUp { get; init; }

    /// <summary>That were due and have no delay, and never will.</summary>
    public long WithoutDelay => Unsent - HeldUp + Refused;

    /// <summary>That were due.</summary>
    public long Asked => Sent + Unsent;

    /// <summary>Those of two ways together: the age is that of the older.</summary>
    public static BeatCounts operator +(BeatCounts one, BeatCounts other) => new(
        one.Sent + other.Sent,
        one.Unsent + other.Unsent,
        one.Refused + other.Refused,
        one.Seen + other.Seen,
        one.Skipped + other.Skipped,
        one.Waiting + other.Waiting,
        one.Foreign + other.Foreign,
        Math.Max(one.AgeNs, other.AgeNs),
        Math.Max(one.SilenceNs, other.SilenceNs),
        Math.Max(one.NewestSentNs, other.NewestSentNs))
    {
        HeldUp = one.HeldUp + other.HeldUp,
    };

    /// <summary>What was added since an earlier moment; ages are those of now.</summary>
    public BeatCounts Since(BeatCounts before) => this with
    {
        Sent = Sent - before.Sent,
        Unsent = Unsent - before.Unsent,
        Refused = Refused - before.Refused,
        Seen = Seen - before.Seen,
        Skipped = Skipped - before.Skipped,
        Foreign = Foreign - before.Foreign,
        HeldUp = HeldUp - before.HeldUp,
    };
}
