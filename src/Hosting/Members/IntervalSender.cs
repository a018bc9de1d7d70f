using System.Buffers;
using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using RedisLatency.Fleet.Live;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Members;

/// <summary>
/// Sends what is logged to the control Redis as well, for who watches the run, on a thread of its own: who logs never
/// waits for it. What cannot be sent for ten seconds is dropped, which is said once and costs the watching alone.
/// </summary>
internal sealed class IntervalSender : IDisposable
{
    private const int MostWaiting = 10;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(2);

    private readonly BlockingCollection<MemberInterval> _waiting = new(MostWaiting);
    private readonly ArrayBufferWriter<byte> _lines = new();
    private readonly ManualResetEventSlim _end = new();
    private readonly IntervalStream _stream;
    private readonly ILogger _logger;
    private readonly int _place;
    private readonly Thread _thread;
    private (string Series, string Tags)? _headline;
    private long _allFromNs;
    private volatile bool _hasDropped;
    private bool _hasSaidSo;

    public IntervalSender(ControlClient control, string run, FleetMembership member, ILogger logger)
    {
        (_place, _logger) = (member.Place, logger);
        _stream = new IntervalStream(control, run, member.Session, member.Count);
        _thread = new Thread(Send) { Name = "intervals", IsBackground = true };
        _thread.Start();
    }

    /// <summary>When all members began, by the monotonic clock; before that nothing is sent.</summary>
    public void BeginAt(long startNs) => Interlocked.CompareExchange(ref _allFromNs, startNs, 0);

    /// <summary>What is logged from now on is of this set.</summary>
    public void Begin(MetricSet set) => _headline =
        set.Headline is var (series, tags) ? (series, string.Join(' ', tags)) : null;

    /// <summary>Adds lines of the log to the interval.</summary>
    public void Add(ReadOnlySpan<byte> lines) => _lines.Write(lines);

    /// <summary>The interval is complete.</summary>
    public void End(long startNs, bool isLast)
    {
        if (Volatile.Read(ref _allFromNs) is not 0 and var allFromNs && _headline is var (series, tags))
        {
            var at = TimeSpan.FromNanoseconds(startNs - allFromNs);
            var interval = new MemberInterval(_place, at, series, tags, _lines.WrittenSpan.ToArray(), isLast);
            if (!_waiting.TryAdd(interval))
                _hasDropped = true;
        }

        _lines.ResetWrittenCount();
    }

    public void Dispose()
    {
        _waiting.CompleteAdding();
        if (!_thread.Join(LastPatience))
        {
            _end.Set();
            _thread.Join();
        }

        _waiting.Dispose();
        _end.Dispose();
    }

    private void Send()
    {
        foreach (var interval in _waiting.GetConsumingEnumerable())
        {
            var problem = "it answers too slowly";
            var isSent = false;
            while (!_end.IsSet && !(isSent = TrySend(interval, ref problem)))
            {
                SayWhatIsDropped(problem);
                _end.Wait(Pause);
            }

            // At its end a run waits no longer for who watches it.
            if (!isSent)
                _hasDropped = true;
            SayWhatIsDropped(problem);
        }
    }

    // Asked again, a server that refuses would refuse again.
    private bool TrySend(MemberInterval interval, ref string problem)
    {
        try
        {
            _stream.Add(interval);
            return true;
        }
        catch (RedisException failure)
        {
            problem = failure.Message;
            if (failure.IsTransient)
                return false;
            return _hasDropped = true;
        }
    }

    private void SayWhatIsDropped(string problem)
    {
        if (!_hasDropped || _hasSaidSo)
            return;
        _hasSaidSo = true;
        FleetLog.NotStreamed(_logger, problem);
    }
}
