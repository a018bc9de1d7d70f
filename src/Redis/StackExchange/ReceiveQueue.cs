using System.Diagnostics;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// Hands messages from the client's threads to the one that measures: bounded, allocated beforehand, lock-free,
/// in the order of arrival. What does not fit is counted, never silently lost.
/// Source: D. Vyukov's bounded queue (1024cores.net), with a single reader.
/// </summary>
internal sealed class ReceiveQueue : IDisposable
{
    private readonly Slot[] _slots;
    private readonly long _mask;
    private readonly WakeSignal _signal = WakeSignal.Create();
    private long _tail;
    private long _head;
    private long _overflowed;
    private int _readerWaits;

    /// <param name="capacity">How many messages may wait: a power of two.</param>
    public ReceiveQueue(int capacity)
    {
        Debug.Assert(int.IsPow2(capacity));
        _slots = new Slot[capacity];
        _mask = capacity - 1;
        for (var i = 0; i < capacity; i++)
            _slots[i].Turn = i;
    }

    public int Capacity => _slots.Length;

    /// <summary>Adds a message, from any thread, and wakes the reader; a full queue counts it instead.</summary>
    public void Enqueue(int channel, byte[] payload, long receivedTimestamp)
    {
        if (!TryEnqueue(channel, payload, receivedTimestamp))
            Interlocked.Increment(ref _overflowed);
        Wake();
    }

    /// <summary>Takes the oldest message; only for the one reader.</summary>
    public bool TryDequeue(out int channel, out byte[] payload, out long receivedTimestamp)
    {
        ref var slot = ref _slots[_head & _mask];
        if (Volatile.Read(ref slot.Turn) != _head + 1)
        {
            (channel, payload, receivedTimestamp) = (0, [], 0);
            return false;
        }

        (channel, payload, receivedTimestamp) = (slot.Channel, slot.Payload, slot.ReceivedTimestamp);
        slot.Payload = [];
        Volatile.Write(ref slot.Turn, _head + _slots.Length);
        _head++;
        return true;
    }

    public long TakeOverflowed() => Volatile.Read(ref _overflowed) == 0 ? 0 : Interlocked.Exchange(ref _overflowed, 0);

    /// <summary>Sleeps until a message is there, <see cref="Wake"/> is called or the time has come.</summary>
    /// <param name="untilTimestamp">As <see cref="Stopwatch.GetTimestamp"/> reads.</param>
    public void Wait(long untilTimestamp)
    {
        // A full fence: a writer that does not see the flag has written its message before the look below.
        Interlocked.Exchange(ref _readerWaits, 1);
        if (Volatile.Read(ref _slots[_head & _mask].Turn) != _head + 1)
            _signal.Wait(untilTimestamp);
        Volatile.Write(ref _readerWaits, 0);
    }

    public void Wake()
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _readerWaits) != 0 && Interlocked.Exchange(ref _readerWaits, 0) != 0)
            _signal.Set();
    }

    public void Dispose() => _signal.Dispose();

    private bool TryEnqueue(int channel, byte[] payload, long receivedTimestamp)
    {
        var tail = Volatile.Read(ref _tail);
        while (true)
        {
            ref var slot = ref _slots[tail & _mask];
            var ahead = Volatile.Read(ref slot.Turn) - tail;
            if (ahead < 0)
                return false;
            var seen = ahead > 0 ? Volatile.Read(ref _tail) : Interlocked.CompareExchange(ref _tail, tail + 1, tail);
            if (ahead == 0 && seen == tail)
            {
                (slot.Channel, slot.Payload, slot.ReceivedTimestamp) = (channel, payload, receivedTimestamp);
                Volatile.Write(ref slot.Turn, tail + 1);
                return true;
            }

            tail = seen;
        }
    }

    private struct Slot
    {
        public long Turn;
        public long ReceivedTimestamp;
        public int Channel;
        public byte[] Payload;
    }
}

/// <summary>What one thread sleeps on until another has something for it. A set signal lets one wait through.</summary>
internal abstract class WakeSignal : IDisposable
{
    /// <summary>The finest that this system has; <c>REDISLATENCY_PORTABLE=1</c> forces the portable one.</summary>
    public static WakeSignal Create() =>
        Environment.Is64BitProcess && !ReadinessPoller.IsPortable ? new EventFileSignal() : new PortableSignal();

    /// <summary>Wakes the thread that waits, or the next that will; harmless after <see cref="Dispose"/>.</summary>
    public abstract void Set();

    /// <summary>Sleeps until the signal is set or the time has come; may return early.</summary>
    public abstract void Wait(long untilTimestamp);

    public abstract void Dispose();
}

/// <summary>
/// A signal on Linux, whose waits count in nanoseconds: an eventfd(2) under ppoll(2). The runtime's own events
/// round to milliseconds, which is more than the pause between two messages.
/// </summary>
internal sealed unsafe class EventFileSignal : WakeSignal
{
    private readonly EventFile _file = new();

    public override void Set() => _file.Set();

    public override void Wait(long untilTimestamp)
    {
        var timeout = new LinuxCalls.TimeSpec(
            TimestampSpan.ToNanoseconds(Math.Max(0, untilTimestamp - Stopwatch.GetTimestamp())));
        var descriptor = new LinuxCalls.PollDescriptor { Descriptor = _file.Descriptor, Events = LinuxCalls.PollIn };
        if (LinuxCalls.ppoll(&descriptor, 1, &timeout, null) > 0)
            _file.Clear();
    }

    public override void Dispose() => _file.Dispose();
}

internal sealed class PortableSignal : WakeSignal
{
    private readonly AutoResetEvent _event = new(initialState: false);

    public override void Set()
    {
        try
        {
            _event.Set();
        }
        catch (ObjectDisposedException)
        {
        }
    }

    public override void Wait(long untilTimestamp)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), untilTimestamp);
        if (left >= TimeSpan.FromMilliseconds(1))
            _event.WaitOne((int)Math.Min(left.TotalMilliseconds, int.MaxValue));
        else if (!_event.WaitOne(0))
            // Less than the event can count: the caller looks again, and again, until the time has come.
            Thread.Yield();
    }

    public override void Dispose() => _event.Dispose();
}
