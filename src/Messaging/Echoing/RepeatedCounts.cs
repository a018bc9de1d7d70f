namespace RedisLatency.Messaging.Echoing;

/// <summary>
/// Notices a plain count that comes again and again: consumers that echo to each other hand it around for ever, since
/// nothing in it says that it was echoed.
/// </summary>
internal sealed class RepeatedCounts
{
    /// <summary>After so many times it is asked whether another consumer hears this one's echoes.</summary>
    public const int AskEvery = 100;

    /// <summary>As often within <see cref="WindowNs"/> no producer sends one count.</summary>
    public const int Most = 10_000;

    private const long WindowNs = 10_000_000_000;

    // Several counts may go around at once; a power of two.
    private const int Slots = 64;

    private readonly (long Count, long SinceNs, long Times, long LastNs)[] _seen = new (long, long, long, long)[Slots];

    public long Take(long count, long nowNs, out bool isTooOften)
    {
        ref var slot = ref _seen[count & (Slots - 1)];
        isTooOften = false;
        // The count that came first is watched until it is gone: with more of them going around than there are slots,
        // none would be seen twice otherwise.
        if (slot.Times > 0 && slot.Count != count && nowNs - slot.LastNs < WindowNs)
            return 1;
        if (slot.Times == 0 || slot.Count != count)
            slot = (count, nowNs, 0, nowNs);
        slot.LastNs = nowNs;
        slot.Times++;
        isTooOften = slot.Times % Most == 0 && nowNs - slot.SinceNs < WindowNs * (slot.Times / Most);
        return slot.Times;
    }
}
