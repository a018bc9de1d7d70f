using System.Numerics;

namespace RedisLatency.Messaging.Sending;

/// <summary>
/// The messages that are under way: bounded in number, and given up when their receive deadline has passed.
/// Sequences are dense, so a ring indexed by them is enough; nothing is allocated after the start.
/// </summary>
internal sealed class InFlightWindow
{
    private const int MaxCapacity = 1 << 22;

    private readonly Slot[] _slots;
    private readonly int _limit;
    private readonly long _deadlineNs;
    private long _oldest;
    private long _next;
    private int _echoes = 1;

    public InFlightWindow(int limit, long deadlineNs, double rate)
    {
        _limit = limit;
        _deadlineNs = deadlineNs;
        // A lost message stays the oldest until its deadline, while those sent after it come and go.
        var span = Math.Min(MaxCapacity, Math.Max(limit, (rate * deadlineNs / 1e9 * 1.25) + 64));
        _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)span)];
    }

    public int Count { get; private set; }

    /// <summary>The oldest message that is not settled yet; the next to be sent where all are.</summary>
    public long Oldest => _oldest;

    public bool HasRoom => Count < _limit && _next - _oldest < _slots.Length;

    /// <summary>When the oldest message is given up, in nanoseconds; the end of time where none is under way.</summary>
    public long NextExpiry => _oldest == _next ? long.MaxValue : SlotOf(_oldest).Sent + _deadlineNs;

    /// <summary>Begins anew at sequence 0; so many consumers answer each message.</summary>
    public void Start(int echoes)
    {
        _echoes = echoes;
        _oldest = _next = Count = 0;
        LongestFromSent = LongestFromIntended = 0;
    }

    public void Add(long intended, long sent)
    {
        SlotOf(_next) = new Slot { Intended = intended, Sent = sent, Remaining = _echoes };
        _next++;
        Count++;
    }

    public bool TryGetStamps(long sequence, out long intended, out long sent)
    {
        var isKnown = sequence < _next && sequence >= Math.Max(0, _next - _slots.Length);
        var slot = isKnown ? SlotOf(sequence) : default;
        (intended, sent) = (slot.Intended, slot.Sent);
        return isKnown;
    }

    /// <summary>
    /// Whether a message that was sent may have had these stamps: exactly, or where its slot was used again, earlier
    /// than all that have theirs. Tells by when it was sent, at the latest.
    /// </summary>
    public bool MayBe(long sequence, long intended, long sent, out long sentAtLatest)
    {
        ref var slot = ref SlotOf(Math.Max(sequence, _next - _slots.Length));
        sentAtLatest = slot.Sent;
        return sequence >= _next - _slots.Length
            ? sent == slot.Sent && intended == slot.Intended
            : sent <= slot.Sent && intended <= slot.Sent;
    }

    public void Return(long sequence)
    {
        if (sequence < _oldest || sequence >= _next)
            return;
        ref var slot = ref SlotOf(sequence);
        if (slot.Remaining > 0 && --slot.Remaining == 0)
            Count--;
    }

    public bool IsInFlight(long sequence) => sequence >= _oldest && sequence < _next && SlotOf(sequence).Remaining > 0;

    /// <summary>How long the message that was waited for longest, and given up, had been sent.</summary>
    public long LongestFromSent { get; private set; }

    /// <summary>The same from when it was to be sent.</summary>
    public long LongestFromIntended { get; private set; }

    /// <summary>Gives up what is past its deadline; whether there was any.</summary>
    public bool Expire(long now)
    {
        var hasExpired = false;
        while (_oldest < _next)
        {
            ref var slot = ref SlotOf(_oldest);
            if (slot.Remaining > 0)
            {
                if (now - slot.Sent <= _deadlineNs)
                    break;
                slot.Remaining = 0;
                Count--;
                hasExpired = true;
                LongestFromSent = Math.Max(LongestFromSent, now - slot.Sent);
                LongestFromIntended = Math.Max(LongestFromIntended, now - slot.Intended);
            }

            _oldest++;
        }

        return hasExpired;
    }

    private ref Slot SlotOf(long sequence) => ref _slots[sequence & (_slots.Length - 1)];

    private struct Slot
    {
        public long Intended;
        public long Sent;
        public int Remaining;
    }
}
