using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// One-way latency of one consumer's messages: stamps wait until the offset of their time is final, and are recorded
/// then, window by window. Every message that was added is in the end measured, or counted as not corrected.
/// </summary>
/// <remarks>
/// <para>
/// forward = received − sent − θ at the receipt; back = returned − echoed + θ at the echo. On the producer's clock the
/// receipt is at received − θ(sent), which is exact but for the drift during one way, and the echo is later by the
/// residence. So forward + back = network + θ(echo) − θ(receipt): the round trip less the residence, but for what the
/// clocks drift from each other while the consumer keeps the message.
/// </para>
/// <para>
/// A message belongs to the window in which it returned, as in the interval log of the round trips; its θ is that of
/// the windows in which it was received and echoed. A consumer by itself goes by the receipt. One thread.
/// </para>
/// </remarks>
public sealed class OneWayCorrection : IDisposable
{
    private readonly OneWayOptions _options;
    private readonly PendingStamps _pending;
    private readonly KnownWindows _known = new();
    private readonly Queue<OffsetWindow> _unused = new();
    private readonly OneWayMeasurement _interval;
    private readonly DelayVariation _forwardVariation = new();
    private readonly DelayVariation _backVariation = new();
    private long _coveredNs = long.MinValue;
    private long _withoutWindow;

    /// <summary>Makes the correction of one consumer's messages.</summary>
    public OneWayCorrection(OneWayOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _pending = new PendingStamps(options.MostPending, options.SpillPath);
        _interval = new OneWayMeasurement(options.HasBack, hasBlocks: false);
        Total = new OneWayMeasurement(options.HasBack, hasBlocks: options.HasBack);
    }

    /// <summary>What was measured so far, up to the window that was corrected last.</summary>
    public OneWayMeasurement Total { get; }

    /// <summary>How many messages wait for their window.</summary>
    public long Pending => _pending.Count;

    /// <summary>How many messages waited in the file so far.</summary>
    public long Spilled => _pending.Spilled;

    /// <summary>
    /// How many messages cannot be corrected: no window covers their time, or they could not be kept until it did.
    /// What found no room in a ring is not among them.
    /// </summary>
    public long NotCorrected => _withoutWindow + _pending.Lost;

    /// <summary>How many messages have stamps that no clock can have given; they are in nothing else.</summary>
    public long Impossible { get; private set; }

    /// <summary>Why messages could not be kept; null where all could.</summary>
    public string? Failure => _pending.Failure;

    /// <summary>Takes a message.</summary>
    public void Add(in MessageStamps stamps)
    {
        var isPossible = _options.HasBack ? stamps.ArePossible : stamps.Received > 0;
        if (isPossible)
            _pending.Append(stamps);
        else
            Impossible++;
    }

    /// <summary>Takes a window that is final; one that begins before the end of the last is known already.</summary>
    public void Add(OffsetWindow window)
    {
        ArgumentNullException.ThrowIfNull(window);
        if (window.StartNs < _coveredNs)
            return;
        _coveredNs = window.EndNs;
        _known.Add(window);
        _unused.Enqueue(window);
    }

    /// <summary>Corrects the messages of the next window; bring all messages so far before.</summary>
    /// <param name="interval">What they took.</param>
    /// <returns>Whether there was a window.</returns>
    public bool TryCorrect(out OneWayInterval interval)
    {
        interval = default;
        if (!_unused.TryDequeue(out var window))
            return false;

        _interval.Reset();
        while (_pending.TryPeek(out var stamps) && BelongsBefore(stamps, window))
        {
            _pending.Remove();
            Correct(stamps);
        }

        _forwardVariation.Complete(window, _interval.Forward.Variation);
        if (_interval.Back is { } back)
            _backVariation.Complete(window, back.Variation);
        Total.Add(_interval, TimeSpan.FromNanoseconds(window.EndNs - window.StartNs));
        interval = new OneWayInterval(window, _interval);
        return true;
    }

    /// <summary>No more windows come: what still waits cannot be corrected. The file is deleted.</summary>
    public void Complete()
    {
        while (_pending.TryPeek(out _))
        {
            _pending.Remove();
            _withoutWindow++;
        }

        _pending.Dispose();
    }

    /// <summary>Deletes the file.</summary>
    public void Dispose() => _pending.Dispose();

    private bool BelongsBefore(in MessageStamps stamps, OffsetWindow window)
    {
        var lastNs = _options.HasBack ? stamps.Returned : Earlier(stamps.Received, window.OffsetAt(stamps.Sent));
        return Math.Max(lastNs, stamps.Sent) < window.EndNs;
    }

    private void Correct(in MessageStamps stamps)
    {
        if (!_known.TryFind(stamps.Sent, out var window))
        {
            _withoutWindow++;
            return;
        }

        var latest = _options.HasBack ? stamps.Returned : long.MaxValue;
        var receiptNs = Math.Clamp(Earlier(stamps.Received, window.OffsetAt(stamps.Sent)), stamps.Sent, latest);
        if (!_known.TryFind(receiptNs, out var atReceipt))
        {
            _withoutWindow++;
        }
        else if (!_options.HasBack)
        {
            RecordForward(stamps, atReceipt, receiptNs);
        }
        else
        {
            var echoNs = Math.Min(receiptNs + stamps.Residence, latest);
            if (_known.TryFind(echoNs, out var atEcho))
            {
                RecordForward(stamps, atReceipt, receiptNs);
                RecordBack(stamps, atEcho, echoNs);
            }
            else
            {
                _withoutWindow++;
            }
        }
    }

    private void RecordForward(in MessageStamps stamps, OffsetWindow window, long receiptNs)
    {
        var theta = window.OffsetAt(receiptNs);
        var value = Saturated((Int128)stamps.Received - stamps.Sent - theta);
        var fromIntended = Saturated((Int128)stamps.Received - stamps.Intended - theta);
        _interval.Forward.Record(value, fromIntended, window.ErrorAt(receiptNs), _options.ForwardFloorNs);
        _forwardVariation.Add(value, receiptNs, _interval.Forward.Variation);
    }

    private void RecordBack(in MessageStamps stamps, OffsetWindow window, long echoNs)
    {
        var theta = window.OffsetAt(echoNs);
        var value = Saturated((Int128)stamps.Returned - stamps.Echoed + theta);
        var fromIntended = Saturated((Int128)stamps.Returned - stamps.Received + theta);
        var back = _interval.Back!;
        back.Record(value, fromIntended, window.ErrorAt(echoNs), _options.BackFloorNs);
        _backVariation.Add(value, echoNs, back.Variation);
        _interval.AddNetwork(stamps.Network);
    }

    private static long Earlier(long ns, long by) => Saturated((Int128)ns - by);

    // A consumer may stamp what it likes.
    private static long Saturated(Int128 ns) => (long)Int128.Clamp(ns, long.MinValue, long.MaxValue);
}

/// <summary>
/// The messages that returned (at a consumer: that were received) during one window of the offset, and those before it
/// that came too late for their own. Valid until the next one is asked for.
/// </summary>
/// <param name="Window">The window.</param>
/// <param name="Measured">What its messages took.</param>
public readonly record struct OneWayInterval(OffsetWindow Window, OneWayMeasurement Measured)
{
    /// <summary>When it began, in nanoseconds of the producer's clock.</summary>
    public long StartNs => Window.StartNs;

    /// <summary>How long it lasted, in nanoseconds.</summary>
    public long LengthNs => Window.EndNs - Window.StartNs;
}

/// <summary>The final windows of one consumer's offset, of the last hour at least: messages may come late.</summary>
internal sealed class KnownWindows
{
    private const int MostKept = 4_096;

    // Before the first probe there is no window; its line is drawn back so far, its bound growing by drift.
    private const long DrawnBackNs = 10_000_000_000;

    private readonly List<OffsetWindow> _windows = [];
    private int _last;
    private bool _hasForgotten;

    public void Add(OffsetWindow window)
    {
        if (_windows.Count == 2 * MostKept)
        {
            _windows.RemoveRange(0, MostKept);
            _last = 0;
            _hasForgotten = true;
        }

        _windows.Add(window);
    }

    public bool TryFind(long atNs, [NotNullWhen(true)] out OffsetWindow? window)
    {
        window = null;
        if (_windows.Count == 0)
            return false;
        if (_windows[_last].StartNs > atNs || atNs >= _windows[_last].EndNs)
            _last = IndexOf(atNs);
        var found = _windows[_last];
        var isDrawnBack = _last == 0 && !_hasForgotten && atNs < found.StartNs && atNs > found.StartNs - DrawnBackNs;
        if ((atNs >= found.StartNs && atNs < found.EndNs) || isDrawnBack)
            window = found.IsBounded ? found : null;
        return window is not null;
    }

    // The last window that does not begin after the instant, or the first of all.
    private int IndexOf(long atNs)
    {
        int low = 0, high = _windows.Count - 1;
        while (low < high)
        {
            var middle = (low + high + 1) / 2;
            if (_windows[middle].StartNs <= atNs)
                low = middle;
            else
                high = middle - 1;
        }

        return low;
    }
}

/// <summary>
/// How much longer messages took than the fastest of their neighbourhood: of their window and the ten before it, back
/// to the last break of the offset. A wrong offset cancels out; the skew is removed by the window's own line.
/// </summary>
internal sealed class DelayVariation
{
    private const int Neighbours = 10;

    // Of a window with more messages than this, the first ones are compared with the fastest so far.
    private const int MostBuffered = 1 << 20;

    private readonly Queue<(long RawNs, long AtNs)> _fastest = new(Neighbours + 1);
    private long[] _values = new long[1 << 10];
    private int _count;
    private long _minNs = long.MaxValue;
    private long _minAtNs;

    /// <summary>A message of the window to be completed next: its corrected value, at the producer's time.</summary>
    public void Add(long valueNs, long atNs, LatencyHistogram into)
    {
        if (valueNs < _minNs)
            (_minNs, _minAtNs) = (valueNs, atNs);
        if (_count == MostBuffered)
            Record(_minNs, into);
        if (_count == _values.Length)
            Array.Resize(ref _values, 2 * _count);
        _values[_count++] = valueNs;
    }

    public void Complete(OffsetWindow window, LatencyHistogram into)
    {
        if (window.Break is not OffsetBreak.None)
            _fastest.Clear();
        if (_count == 0)
            return;

        var fastestNs = _minNs;
        foreach (var (rawNs, atNs) in _fastest)
            fastestNs = Math.Min(fastestNs, rawNs - window.OffsetAt(atNs));
        Record(fastestNs, into);

        if (_fastest.Count == Neighbours)
            _fastest.Dequeue();
        _fastest.Enqueue((_minNs + window.OffsetAt(_minAtNs), _minAtNs));
        _minNs = long.MaxValue;
    }

    private void Record(long fastestNs, LatencyHistogram into)
    {
        foreach (var value in _values.AsSpan(0, _count))
            into.Record(value - fastestNs);
        _count = 0;
    }
}
