using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Heartbeat.Beats;

/// <summary>Heartbeats that are written in this process: one clock, and it is known which are on their way.</summary>
/// <param name="key">Where they are.</param>
/// <param name="tally">What became of them.</param>
/// <param name="delays">Where their delays go.</param>
/// <param name="intervalNs">From one to the next.</param>
/// <param name="found">Is told each delay, the middle of its interval, in nanoseconds.</param>
internal sealed class OwnBeats(
    BeatKey key, BeatTally tally, DelayTally delays, long intervalNs, Action<long> found) : IAwaitedBeats
{
    /// <inheritdoc/>
    public BeatKey Key => key;

    /// <inheritdoc/>
    public bool AreAwaited(out long overdueNs)
    {
        var counts = tally.Look();
        overdueNs = Math.Max(0, counts.AgeNs - intervalNs);
        return counts.Waiting > 0;
    }

    /// <inheritdoc/>
    public void WaitUntilAwaited(TimeSpan limit) => tally.WaitUntilSent(limit);

    /// <inheritdoc/>
    public bool IsNew(BeatKey key, long number) => number > tally.LastSeen;

    /// <inheritdoc/>
    public void See(BeatKey key, in FoundBeat beat)
    {
        var lastMiss = Math.Max(beat.SentNs, beat.AskedNs);
        tally.See(beat.Number, beat.SentNs, beat.FoundNs);
        delays.Read++;
        delays.Record(beat.SentNs, beat.IntendedNs, lastMiss, beat.FoundNs);
        found(lastMiss + ((beat.FoundNs - lastMiss) / 2) - beat.SentNs);
    }

    /// <inheritdoc/>
    public void Close()
    {
        // Its writer has ended, and the tally knows it.
    }

    /// <inheritdoc/>
    public void FindForeign() => tally.FindForeign();
}
