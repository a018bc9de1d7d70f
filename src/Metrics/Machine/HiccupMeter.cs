using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// The tool's own pauses: a thread that wants to wake every 5 ms and records how late it does, in nanoseconds.
/// Whatever stops it (garbage collection, the scheduler, the hypervisor) stops the measured threads, too.
/// </summary>
/// <remarks>
/// After jHiccup 2.0, with one difference: wake-ups are due on an absolute schedule, so a pause of one second is found
/// by each of the 200 that fall into it (1000 ms, 995 ms, …), without correction afterwards. The shortest
/// lateness is not subtracted: the reader sees what a wait costs here.
/// </remarks>
public sealed class HiccupMeter : IDisposable
{
    /// <summary>The name of the thread.</summary>
    public const string ThreadName = "redislatency-hiccups";

    // A wake-up costs 25 to 35 µs of CPU on a virtual machine, in C too, nearly all of it the kernel's: every
    // millisecond, jHiccup's default, would take 3 % of a core beside what is measured.
    private const long IntervalNs = 5_000_000;

    private readonly LatencyRecorder _recorder;
    private readonly LatencyRecorder _standstills;
    private readonly Action _woken;
    private readonly Thread _thread;
    private volatile bool _stopRequested;

    private HiccupMeter(LatencyRecorder recorder, LatencyRecorder standstills, Action woken)
    {
        (_recorder, _standstills, _woken) = (recorder, standstills, woken);
        _thread = new Thread(Run) { Name = ThreadName, IsBackground = true };
        _thread.Start();
    }

    /// <summary>Starts to measure, into a recorder that no other thread writes to.</summary>
    /// <param name="recorder">Where to.</param>
    /// <param name="standstills">
    /// Another, for what is left of each without what this thread waited for a processor, which says nothing of others:
    /// the process, or all of the machine, stood still. All of it where that is not counted.
    /// </param>
    /// <param name="woken">What is to be done besides, whenever it has woken.</param>
    public static HiccupMeter Start(LatencyRecorder recorder, LatencyRecorder standstills, Action woken) =>
        new(recorder, standstills, woken);

    /// <summary>Ends the thread, and returns when it has recorded its last.</summary>
    public void Dispose()
    {
        _stopRequested = true;
        _thread.Join();
    }

    private void Run()
    {
        Pacer.WakePrecisely();
        using var own = RunDelayReader.OfThisThread();
        var (before, waited) = (own.Read().WaitedNs, 0L);
        var due = MonotonicClock.NowNs();
        while (!_stopRequested)
        {
            due += IntervalNs;
            Pacer.WaitUntil(due);
            var late = MonotonicClock.NowNs() - due;
            _recorder.Record(late);

            // A long wait makes the wake-ups after it late, too, each by one interval less.
            var now = own.Read().WaitedNs;
            waited = Math.Max(0, waited - IntervalNs) + now - before;
            before = now;
            _standstills.Record(Math.Max(0, late - waited));
            _woken();
        }
    }
}
