using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Probe;

/// <summary>Heartbeats that are written in this process: one clock, and it is known which are on their way.</summary>
internal sealed class OwnBeats(
    BeatKey key, BeatTally tally, DelayTally delays, long intervalNs, Action<long> tell) : IAwaitedBeats
{
    private long _lastIntendedNs;

    public BeatKey Key => key;

    public bool AreAwaited(out long overdueNs)
    {
        var counts = tally.Look();
        overdueNs = Math.Max(0, counts.AgeNs - intervalNs);
        return counts.Waiting > 0;
    }

    public void WaitUntilAwaited(TimeSpan limit) => tally.WaitUntilSent(limit);

    public bool IsNew(BeatKey key, long number) => number > tally.LastSeen;

    public void See(BeatKey key, in FoundBeat beat)
    {
        for (var older = tally.LastSeen + 1; older < beat.Number; older++)
            Supersede(older, beat);
        tally.WasSent(beat.Number, out _, out _, out var heldUp);
        tally.See(beat.Number, beat.SentNs, beat.FoundNs);
        delays.Read++;
        Record(beat.IntendedNs, beat.SentNs, heldUp, beat);
        _lastIntendedNs = beat.IntendedNs;
    }

    public void Close()
    {
        // Its writer has ended, and the tally knows it.
    }

    public void FindForeign() => tally.FindForeign();

    // It was not there at the last look that found an older one. Who found the newer one had no need of it from then.
    private void Supersede(long number, in FoundBeat newer)
    {
        if (!tally.WasSent(number, out var due, out var sent, out var heldUp))
            return;
        if (due != 0)
        {
            Record(due, sent, heldUp, newer);
            return;
        }

        // Between the last that was seen and the oldest whose stamps are known.
        var earliest = _lastIntendedNs != 0 ? _lastIntendedNs : newer.AskedNs;
        Record(earliest, earliest, newer with { AskedNs = newer.AskedNs - (sent - earliest) });
    }

    // Those that would have left before it, but for this process, took as long from when they were due.
    private void Record(long intendedNs, long sentNs, long heldUp, in FoundBeat found)
    {
        Record(intendedNs, sentNs, found);
        for (long before = 1; before <= heldUp; before++)
            Record(intendedNs - (before * intervalNs), intendedNs - (before * intervalNs), found);
    }

    private void Record(long intendedNs, long sentNs, in FoundBeat found)
    {
        var lastMiss = Math.Max(sentNs, found.AskedNs);
        delays.Record(sentNs, intendedNs, lastMiss, found.FoundNs);
        tell(lastMiss + ((found.FoundNs - lastMiss) / 2) - sentNs);
    }
}
