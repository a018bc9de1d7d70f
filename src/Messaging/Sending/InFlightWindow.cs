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
    private long _oldestOwed;
    private long _next;
    private int _echoes = 1;
    private int _consumers;

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

    /// <summary>When the oldest message that any consumer owes an echo of is given up.</summary>
    public long NextOwedExpiry => SlotOf(_oldestOwed).Sent + _deadlineNs;

    /// <summary>Whether any consumer owes an echo, of what is in flight or besides.</summary>
    public bool IsOwed()
    {
        while (_oldestOwed < _next && SlotOf(_oldestOwed).Owed == 0)
            _oldestOwed++;
        return _oldestOwed < _next;
    }

    /// <summary>Begins anew at sequence 0; so many consumers answer each message, anyone where none is known.</summary>
    public void Start(int consumers)
    {
        (_echoes, _consumers) = (Math.Max(1, consumers), consumers);
        _oldest = _oldestOwed = _next = Count = 0;
        LongestFromSent = LongestFromIntended = 0;
    }

    public void Add(long intended, long sent)
    {
        if (_next - _oldestOwed == _slots.Length)
            GiveUpOwed(sent, ref SlotOf(_oldestOwed++));
        SlotOf(_next) = new Slot
        {
            Intended = intended,
            Sent = sent,
            Remaining = _echoes,
            Owed = Math.Max(1, _consumers),
        };
        _next++;
        Count++;
    }

    /// <summary>
    /// One more consumer owes an echo of each message from this one on. Nothing is held back for it, who may be
    /// anybody; but how long it is waited for is known.
    /// </summary>
    public void AddConsumer(long firstSequence)
    {
        if (_consumers++ == 0)
            return;
        var first = Math.Max(firstSequence, _next - _slots.Length);
        for (var sequence = first; sequence < _next; sequence++)
            SlotOf(sequence).Owed++;
        _oldestOwed = Math.Min(_oldestOwed, first);
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
        if (sequence < _oldestOwed || sequence >= _next)
            return;
        ref var slot = ref SlotOf(sequence);
        if (slot.Owed > 0)
            slot.Owed--;
        if (slot.Remaining > 0 && --slot.Remaining == 0)
            Count--;
    }

    /// <summary>How long the message whose echo was waited for longest, and given up, had been sent.</summary>
    public long LongestFromSent { get; private set; }

    /// <summary>The same from when it was to be sent.</summary>
    public long LongestFromIntended { get; private set; }

    /// <summary>Gives up what is past its deadline.</summary>
    public void Expire(long now)
    {
        for (; _oldest < _next; _oldest++)
        {
            ref var slot = ref SlotOf(_oldest);
            if (slot.Remaining == 0)
                continue;
            if (now - slot.Sent <= _deadlineNs)
                break;
            slot.Remaining = 0;
            Count--;
        }

        for (; _oldestOwed < _next; _oldestOwed++)
        {
            ref var slot = ref SlotOf(_oldestOwed);
            if (slot.Owed > 0 && now - slot.Sent <= _deadlineNs)
                break;
            GiveUpOwed(now, ref slot);
        }
    }

    /// <summary>Gives up whatever is owed: nobody listens any more.</summary>
    public void GiveUp(long now)
    {
        while (_oldestOwed < _next)
            GiveUpOwed(now, ref SlotOf(_oldestOwed++));
    }

    private void GiveUpOwed(long now, ref Slot slot)
    {
        if (slot.Owed == 0)
            return;
        slot.Owed = 0;
        LongestFromSent = Math.Max(LongestFromSent, now - slot.Sent);
        LongestFromIntended = Math.Max(LongestFromIntended, now - slot.Intended);
    }

    private ref Slot SlotOf(long sequence) => ref _slots[sequence & (_slots.Length - 1)];

    private struct Slot
    {
        public long Intended;
        public long Sent;
        public int Remaining;
        public int Owed;
    }
}
