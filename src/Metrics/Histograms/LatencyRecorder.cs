using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Takes values from one measuring thread and hands them, interval by interval, to a reporting thread. The writer
/// never waits, locks or executes an interlocked instruction; every value is in exactly one interval.
/// </summary>
/// <remarks>
/// <para>
/// Two histograms take turns. The writer makes its sequence odd, reads which histogram is active, counts there, and
/// makes the sequence even. The reader puts the empty histogram in place of the active one and must then know that the
/// writer is done with the old one.
/// </para>
/// <para>
/// That the writer's "I am in" is visible before it reads the active histogram would take a full fence per value. The
/// reader pays for it instead, once per interval: <see cref="Interlocked.MemoryBarrierProcessWide"/> executes a fence
/// in every thread of the process. Call the place where it falls in the writer's program P. A record that reads the
/// active histogram after P sees the new one. One that read it before P had made the sequence odd before that, and the
/// reader sees so after the barrier; it waits until the sequence changes, which is the end of that very record: later
/// ones use the new histogram. The wait lasts only while the writer is inside <see cref="Record(long)"/>, so a writer
/// that is idle, blocked elsewhere or gone does not hold the reader up. The release in the writer's last store and the
/// acquire in the reader's load make the counts visible.
/// </para>
/// </remarks>
public sealed class LatencyRecorder
{
    private readonly Lock _readers = new();
    private readonly LatencyRecorder? _leader;
    private readonly LatencyHistogram _first;
    private LatencyHistogram _inactive;
    private LatencyHistogram _active;
    private IsolatedCount _sequence;

    /// <summary>A recorder for the suite's own range.</summary>
    public LatencyRecorder() : this(LatencyHistogram.ForLatency())
    {
    }

    /// <summary>A recorder for the range and digits of a histogram, which it takes over as a part of itself.</summary>
    public LatencyRecorder(LatencyHistogram active)
    {
        ArgumentNullException.ThrowIfNull(active);
        _active = _first = active;
        _inactive = new LatencyHistogram(active.LowestDiscernible, active.HighestTrackable, active.SignificantDigits);
    }

    /// <summary>
    /// A recorder of what is recorded with the values of another, each pair in the same interval, which the leader
    /// begins and ends.
    /// </summary>
    public LatencyRecorder(LatencyRecorder leader) : this() => (_leader, _readers) = (leader, leader._readers);

    /// <summary>Counts a value. Only ever from one thread at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(long value)
    {
        var sequence = _sequence.Value;
        Volatile.Write(ref _sequence.Value, sequence + 1);
        Volatile.Read(ref _active).Record(value);
        Volatile.Write(ref _sequence.Value, sequence + 2);
    }

    /// <summary>Counts a value, and another in a recorder that follows this one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(long value, LatencyRecorder follower, long following)
    {
        var sequence = _sequence.Value;
        Volatile.Write(ref _sequence.Value, sequence + 1);
        var active = Volatile.Read(ref _active);
        active.Record(value);
        follower.Beside(active).Record(following);
        Volatile.Write(ref _sequence.Value, sequence + 2);
    }

    /// <summary>Adds to a histogram what was recorded since the last call. From any thread.</summary>
    /// <param name="into">Is not reset: an interval's histogram and a run's sum are the same to this method.</param>
    /// <exception cref="OverflowException">It would have counted more than 2^63 - 1 values.</exception>
    public void TakeInterval(LatencyHistogram into)
    {
        ArgumentNullException.ThrowIfNull(into);
        EndInterval();
        Fence();
        Collect(into);
    }

    /// <summary>
    /// Begins the next interval. For several recorders at the cost of one: end the intervals of all, then one
    /// <see cref="Fence"/>, which interrupts every processor, then <see cref="Collect"/> from each. Other threads that
    /// take intervals wait until then.
    /// </summary>
    public void EndInterval()
    {
        _readers.Enter();
        if (_leader is not null)
            return; // Whose next interval is this one's, too.
        var finished = _active;
        Volatile.Write(ref _active, _inactive);
        _inactive = finished;
    }

    /// <summary>After this, records of every thread go to intervals begun before it, or show themselves.</summary>
    public static void Fence() => Interlocked.MemoryBarrierProcessWide();

    /// <summary>Adds to a histogram what was recorded in the interval that was ended last, before the fence.</summary>
    /// <param name="into">Is not reset.</param>
    /// <exception cref="OverflowException">It would have counted more than 2^63 - 1 values.</exception>
    public void Collect(LatencyHistogram into)
    {
        ArgumentNullException.ThrowIfNull(into);
        try
        {
            (_leader ?? this).WaitForRecordInProgress();
            (_leader is null ? _inactive : Beside(_leader._inactive)).MoveTo(into);
        }
        finally
        {
            _readers.Exit();
        }
    }

    // A follower's own two stay where they are.
    private LatencyHistogram Beside(LatencyHistogram leading) =>
        ReferenceEquals(leading, _leader!._first) ? _active : _inactive;

    private void WaitForRecordInProgress()
    {
        var sequence = Volatile.Read(ref _sequence.Value);
        if ((sequence & 1) == 0)
            return;
        var spinner = new SpinWait();
        while (Volatile.Read(ref _sequence.Value) == sequence)
            spinner.SpinOnce(sleep1Threshold: -1);
    }
}

/// <summary>
/// A number that one thread writes all the time, alone on its cache lines: objects that are allocated one after the
/// other lie side by side, and without the distance one thread's recording would slow down another's.
/// </summary>
/// <remarks>Twice 128 bytes, because processors fetch lines of 64 bytes in pairs, and Apple's have 128.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct IsolatedCount
{
    [FieldOffset(128)]
    internal long Value;
}
