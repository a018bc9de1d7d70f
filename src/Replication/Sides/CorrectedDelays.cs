using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// The delays of keys whose two stamps are of two clocks, corrected by the offset of the moment at which each was read.
/// </summary>
internal sealed class CorrectedDelays(IWriterTime clock, DelayTally tally)
{
    private long _recentErrorNs;

    /// <summary>The worst that any of them may be off by, either way, in nanoseconds.</summary>
    public long ErrorNs { get; private set; }

    /// <summary>Delays that are negative by more than they may be off: an assumption does not hold.</summary>
    public long NegativesBeyondError { get; private set; }

    /// <summary>When the last key was sent, by the writer's clock.</summary>
    public long LastSentNs { get; private set; }

    /// <summary>Keys of which no delay is known, because nothing is known of the clocks.</summary>
    public long Uncorrected { get; private set; }

    /// <summary>The worst since this was asked before.</summary>
    public long TakeErrorNs()
    {
        var worst = _recentErrorNs;
        _recentErrorNs = 0;
        return worst;
    }

    /// <summary>Corrects one and adds it.</summary>
    /// <returns>The middle of its interval, in nanoseconds; null where it is not known.</returns>
    public long? Add(in FoundKey key)
    {
        LastSentNs = Math.Max(LastSentNs, key.SentNs);
        if (!clock.TryConvert(key.FoundNs, out var found, out var error))
        {
            Uncorrected++;
            return null;
        }

        ErrorNs = Math.Max(ErrorNs, error);
        _recentErrorNs = Math.Max(_recentErrorNs, error);
        if (found - key.SentNs < -error)
            NegativesBeyondError++;

        // It cannot have been there before it was sent: that is its least delay where no look was made in between.
        var lastMiss = key.LastMissNs != 0 && clock.TryConvert(key.LastMissNs, out var converted, out _)
            ? Math.Max(converted, key.SentNs)
            : key.SentNs;
        lastMiss = Math.Min(lastMiss, found);
        tally.Record(key.SentNs, key.IntendedNs, lastMiss, found);
        return lastMiss + ((found - lastMiss) / 2) - key.SentNs;
    }
}
