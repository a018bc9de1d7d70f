using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// How long the threads of one party (this process, its server, its peer) waited for a processor beyond what a wake-up
/// costs when nobody competes, in consecutive slots of a few milliseconds. Allocates nothing in <see cref="Sample"/>
/// but where threads come or go.
/// </summary>
/// <remarks>
/// A slot is material for a value where the wait in it delays the samples of that slot by a quarter of the value on
/// average. It is short, so that a percentile of which few slots are touched stays above doubt; the kernel counts a
/// wait when it ends, so one that is longer than a slot counts for as many as it lasted.
/// </remarks>
public sealed class ProcessorWaits : IDisposable
{
    /// <summary>From this share of a value on what the machine adds to it is material.</summary>
    public const double MaterialShare = 0.25;

    // Of a thread that wakes on a free processor: 5 µs where this was measured, 25 µs on other virtual machines. Less
    // than the first is within what it varies by, more than the second is no wake-up any more.
    private const long LeastWakeUpNs = 10_000;
    private const long MostWakeUpNs = 30_000;
    private const int SlotsPerCheck = 200;

    // A process of which a message wakes sender, echo and receiver; a server that is asked twice and says it twice.
    private const double MostWakeUpsOfASample = 4;

    /// <summary>The longest wait that is counted, in nanoseconds: an hour.</summary>
    internal const long LongestNs = 3_600_000_000_000;

    private readonly Lock _lock = new(); // A report is made on another thread than counts.
    private readonly LatencyHistogram _excess = new(1, LongestNs, 2);
    private readonly LatencyHistogram _wakeUps = new(1, LongestNs, 2);
    private readonly Func<RunDelayReader?> _open;
    private readonly Func<int> _changes;
    private RunDelayReader? _reader;
    private int _seen;
    private long _lastNs;
    private (long WaitedNs, long Times) _last;
    private long _wakeUpNs = LeastWakeUpNs;
    private long _slots;
    private long _elapsedNs;
    private long _times;
    private double _excessNs;

    private ProcessorWaits(string who, bool isOwn, Func<RunDelayReader?> open, Func<int> changes)
    {
        (Who, IsOwn, _open, _changes) = (who, isOwn, open, changes);
        Reopen();
    }

    /// <summary>Whether this kernel counts them.</summary>
    public static bool AreCounted { get; } = File.Exists("/proc/self/schedstat");

    /// <summary>Who waits, as a sentence's subject.</summary>
    public string Who { get; }

    /// <summary>Whether it is this process.</summary>
    public bool IsOwn { get; }

    /// <summary>Whether they are as a peer reported them, wherever that runs.</summary>
    public bool IsReported { get; private init; }

    /// <summary>Whether anything was counted.</summary>
    public bool IsCounted => _elapsedNs > 0;

    /// <summary>
    /// The share of the time in which it waited, beyond wake-ups; several threads may add to more than 1.
    /// </summary>
    public double Share => _elapsedNs > 0 ? _excessNs / _elapsedNs : 0;

    /// <summary>Those of this process' own <see cref="MeasuringThreads"/>, whenever they come and go.</summary>
    public static ProcessorWaits OfThisProcess() => new(
        "this process", isOwn: true, () => RunDelayReader.Of(MeasuringThreads.Current), () => MeasuringThreads.Changes);

    /// <summary>Those of another process of this machine.</summary>
    /// <param name="who">What it is called, as a sentence's subject.</param>
    /// <param name="process">Its number.</param>
    /// <param name="threadName">What the names of its threads in question begin with; empty for all.</param>
    /// <returns>Null where there is none, or nothing may be read of it.</returns>
    public static ProcessorWaits? Of(string who, int process, string threadName = "")
    {
        var waits = new ProcessorWaits(who, isOwn: false, () => RunDelayReader.Of(process, threadName), () => 0);
        return waits._reader is null ? null : waits;
    }

    /// <summary>Those that a peer reported.</summary>
    /// <param name="who">What it is called, as a sentence's subject.</param>
    /// <param name="reported">What it said, of the time in question.</param>
    public static ProcessorWaits Of(string who, ReportedWaits reported)
    {
        ArgumentNullException.ThrowIfNull(reported);
        var waits = new ProcessorWaits(who, isOwn: false, () => null, () => 0)
        {
            IsReported = true,
            _elapsedNs = reported.ElapsedNs,
            _slots = reported.Slots,
        };
        foreach (var (ns, count) in reported.Excesses)
        {
            waits._excess.Record(ns, count);
            waits._excessNs += ns * (double)count;
        }

        return waits;
    }

    /// <summary>What was counted so far, for a peer. Any thread may ask.</summary>
    public ReportedWaits Report()
    {
        var excesses = new SortedDictionary<long, long>();
        lock (_lock)
        {
            foreach (var recorded in _excess.RecordedValues)
            {
                var ns = ReportedWaits.Rounded(recorded.Median);
                excesses[ns] = excesses.GetValueOrDefault(ns) + recorded.Count;
            }

            return ReportedWaits.Of(_elapsedNs, _slots, [.. excesses.Select(one => (one.Key, one.Value))])!;
        }
    }

    /// <summary>A slot ends now. One thread at a time.</summary>
    public void Sample()
    {
        var now = MonotonicClock.NowNs();
        if (_seen != _changes())
        {
            Reopen();
            return;
        }

        if (_reader is null)
            return;
        var total = _reader.Read();
        Add(now - _lastNs, total.WaitedNs - _last.WaitedNs, total.Times - _last.Times);
        (_lastNs, _last) = (now, total);
    }

    /// <summary>
    /// The share of the time, 0 to 1, in which the waits were material for a value: no more than this share of all
    /// samples was delayed by so much.
    /// </summary>
    /// <param name="valueNs">The value, in nanoseconds.</param>
    /// <param name="count">How many samples there were meanwhile.</param>
    public double ShareAt(long valueNs, long count)
    {
        if (_elapsedNs == 0)
            return 0;
        var perSecond = count * 1e9 / _elapsedNs;
        var slotNs = (double)_elapsedNs / Math.Max(1, _slots);
        // Who polls, or serves others too, wakes far more often than any sample is there for it.
        var ofWakeUps = _times > 0 ? MostWakeUpsOfASample * _slots / _times : 1;
        var touched = 0.0;
        foreach (var recorded in _excess.RecordedValues)
        {
            var wait = (double)recorded.Median;
            var stretchNs = Math.Max(slotNs, wait);
            var samples = Math.Max(1, stretchNs * perSecond / 1e9);
            // Whoever comes during a wait waits for the rest of it.
            var during = wait / (2 * stretchNs);
            if (wait * (Math.Min(1 / samples, ofWakeUps) + during) >= MaterialShare * valueNs)
                touched += recorded.Count * stretchNs;
        }

        return Math.Min(1, touched / _elapsedNs);
    }

    /// <summary>Forgets what was counted; what a wake-up costs stays known. Any thread may.</summary>
    public void Reset()
    {
        lock (_lock)
        {
            _excess.Reset();
            (_slots, _elapsedNs, _times, _excessNs) = (0, 0, 0, 0);
        }
    }

    public void Dispose() => _reader?.Dispose();

    internal void Add(long elapsedNs, long waitedNs, long times)
    {
        // Where a thread has ended the sums begin anew.
        if (elapsedNs <= 0 || waitedNs < 0 || times < 0)
            return;
        lock (_lock)
            Count(elapsedNs, waitedNs, times);
    }

    private void Count(long elapsedNs, long waitedNs, long times)
    {
        _slots++;
        _elapsedNs += elapsedNs;
        _times += times;
        if (times > 0)
            _wakeUps.Record(waitedNs / times);
        if (_slots % SlotsPerCheck == 0)
            _wakeUpNs = Math.Clamp(_wakeUps.ValueAtPercentile(10), LeastWakeUpNs, MostWakeUpNs);
        var excess = waitedNs - (times * _wakeUpNs);
        if (excess <= 0)
            return;
        _excess.Record(excess);
        _excessNs += excess;
    }

    private void Reopen()
    {
        _seen = _changes();
        _reader?.Dispose();
        _reader = _open();
        _last = _reader?.Read() ?? default;
        _lastNs = MonotonicClock.NowNs();
    }
}
