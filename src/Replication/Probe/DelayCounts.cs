namespace RedisLatency.Replication.Probe;

/// <summary>
/// What became of probes by a moment: asked = unsent + refused + read + skipped + overwritten + missing + waiting. Only
/// new keys can be overwritten or missing, only a key that is used again skipped, and only that has an age.
/// </summary>
internal readonly record struct DelayCounts
{
    private readonly long _waitingBefore;

    private DelayCounts(in DelayCounts counts, long waitingBefore)
    {
        this = counts;
        _waitingBefore = waitingBefore;
    }

    public long Asked { get; init; }
    public long Unsent { get; init; }
    public long Refused { get; init; }
    public long Unanswered { get; init; }
    public long Read { get; init; }
    public long Overwritten { get; init; }
    public long Missing { get; init; }
    public long Skipped { get; init; }

    // Of those that were not sent, so many were due while this process was held up: a newer one left.
    public long HeldUp { get; init; }

    // How often what was read was no probe; of none of them.
    public long Foreign { get; init; }
    public long AgeNs { get; init; }
    public long SilenceNs { get; init; }
    public long NewestSentNs { get; init; }

    public long Sent => Asked - Unsent;

    public long Written => Sent - Refused;

    public long Waiting => _waitingBefore + Written - Read - Skipped - Overwritten - Missing;

    public long LeftOut => Unsent - HeldUp;

    public long WithoutDelay => LeftOut + Refused;

    public static DelayCounts operator +(DelayCounts one, DelayCounts other) => new()
    {
        Asked = one.Asked + other.Asked,
        Unsent = one.Unsent + other.Unsent,
        Refused = one.Refused + other.Refused,
        Unanswered = one.Unanswered + other.Unanswered,
        Read = one.Read + other.Read,
        Overwritten = one.Overwritten + other.Overwritten,
        Missing = one.Missing + other.Missing,
        Skipped = one.Skipped + other.Skipped,
        HeldUp = one.HeldUp + other.HeldUp,
        Foreign = one.Foreign + other.Foreign,
        AgeNs = Math.Max(one.AgeNs, other.AgeNs),
        SilenceNs = Math.Max(one.SilenceNs, other.SilenceNs),
        NewestSentNs = Math.Max(one.NewestSentNs, other.NewestSentNs),
    };

    // By index: nothing is allocated.
    public static DelayCounts Sum<T>(IReadOnlyList<T> parts, Func<T, DelayCounts> countsOf)
    {
        var sum = default(DelayCounts);
        for (var i = 0; i < parts.Count; i++)
            sum += countsOf(parts[i]);
        return sum;
    }

    // What was taken for unsent while its writer was not heard of may have been sent all the same.
    public DelayCounts Since(in DelayCounts before)
    {
        var unsent = Math.Max(0, Unsent - before.Unsent);
        var since = this with
        {
            Asked = Math.Max(0, Sent - before.Sent) + unsent,
            Unsent = unsent,
            Refused = Refused - before.Refused,
            Read = Read - before.Read,
            Skipped = Skipped - before.Skipped,
            HeldUp = HeldUp - before.HeldUp,
            Foreign = Foreign - before.Foreign,
        };
        return new DelayCounts(since, Waiting - since.Waiting);
    }
}
