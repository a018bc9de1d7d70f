using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Heartbeat.Beats;

/// <summary>
/// Looks at the one key of a way while a heartbeat is on its way: that came after the last look that found an older one
/// was sent, and before the answer that held it came.
/// </summary>
internal sealed class BeatReader
{
    private const long SliceNs = 50_000_000;

    /// <summary>A look that takes longer is an event of its own.</summary>
    private const long SlowAnswerNs = 500_000_000;

    /// <summary>Who has waited long looks so much more rarely: looks stay within a hundredth of a delay.</summary>
    private const long Patience = 100;

    private const long LongestPauseNs = 100_000_000;

    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly BeatTally _tally;
    private readonly DelayTally _delays;
    private readonly Action<long> _found;
    private readonly LastingPipeline _pipeline;
    private readonly RefusalPatience _patience;
    private readonly SessionEvents _events;
    private readonly ulong _session;
    private readonly long _intervalNs;
    private readonly long _pollIntervalNs;
    private readonly byte[] _request;
    private long _readUntilNs = long.MaxValue;
    private long _olderAskedNs;
    private bool _isForeign;
    private volatile bool _isLost;

    /// <summary>Looks for heartbeats.</summary>
    /// <param name="tally">Where to tell what became of them.</param>
    /// <param name="delays">Where their delays go.</param>
    /// <param name="key">The key.</param>
    /// <param name="session">What their values carry.</param>
    /// <param name="plan">How often they come, and are looked for.</param>
    /// <param name="pipeline">The connection to the destination.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="found">Is told each delay, the middle of its interval, in nanoseconds.</param>
    public BeatReader(
        BeatTally tally, DelayTally delays, string key, ulong session, HeartbeatPlan plan, LastingPipeline pipeline,
        SessionEvents events, Action<long> found)
    {
        (_tally, _delays, _session, _pipeline, _events, _found) = (tally, delays, session, pipeline, events, found);
        _patience = new RefusalPatience(pipeline.Label, plan.ReconnectLimit, events);
        _intervalNs = plan.IntervalNs;
        _pollIntervalNs = plan.Options.PollInterval.Ticks * TimeSpan.NanosecondsPerTick;
        var request = new RespWriter();
        request.WriteRequest("GET", key);
        _request = request.Written.ToArray();
    }

    /// <summary>How often it looked.</summary>
    public long Looks { get; private set; }

    /// <summary>Whether there is no connection now.</summary>
    public bool IsLost => _isLost;

    /// <summary>No more heartbeats are sent: reads what is on its way, until then at the latest.</summary>
    public void Finish(long untilNs) => Volatile.Write(ref _readUntilNs, untilNs);

    /// <summary>Reads until it is to finish.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">The destination went away for good.</exception>
    public void Run()
    {
        TimedWait.WakePrecisely();
        while (true)
        {
            var until = Volatile.Read(ref _readUntilNs);
            var counts = _tally.Look();
            if (until < MonotonicClock.NowNs() || (until != long.MaxValue && counts.Waiting == 0))
                return;
            var began = MonotonicClock.NowNs();
            try
            {
                if (_pipeline.IsElsewhere)
                {
                    if (!Reconnect(null))
                        return;
                }
                else if (counts.Waiting == 0)
                {
                    _tally.WaitUntilSent(Nap);
                    continue;
                }
                else
                {
                    Look(began);
                }
            }
            catch (RedisServerException refusal) when (refusal.Code != "MOVED")
            {
                _patience.Wait(refusal);
            }
            catch (RedisException loss)
            {
                if (!Reconnect(loss))
                    return;
            }

            var waited = Math.Max(0, counts.AgeNs - _intervalNs);
            TimedWait.Until(began + Math.Max(_pollIntervalNs, Math.Min(waited / Patience, LongestPauseNs)));
        }
    }

    private bool Reconnect(RedisException? loss)
    {
        var before = _pipeline.Target;
        _isLost = true;
        if (!(loss is null ? _pipeline.Follow() : _pipeline.Restore(loss)))
            return false;
        _isLost = false;
        // What one server had not is no bound for another.
        if (before != _pipeline.Target)
            _olderAskedNs = 0;
        return true;
    }

    private void Look(long began)
    {
        var pipeline = _pipeline.Current;
        var asked = MonotonicClock.NowNs();
        pipeline.Send(_request);
        Looks++;
        var limit = began + (pipeline.ReplyTimeout.Ticks * TimeSpan.NanosecondsPerTick);
        RespCursor reply;
        var answered = asked;
        while (!pipeline.TryTake(out reply))
        {
            if (answered > Volatile.Read(ref _readUntilNs))
                return;
            if (answered > limit)
                throw new RedisTimeoutException($"no reply within {pipeline.ReplyTimeout.TotalSeconds:0.###} s");
            pipeline.Receive(MonotonicClock.ToTimestamp(Math.Min(limit, answered + SliceNs)));
            answered = MonotonicClock.NowNs();
        }

        // A server that took over has heartbeats that were never replicated.
        if (_pipeline.IsElsewhere)
            return;
        if (reply.IsError)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
        _patience.Answered();
        if (answered - asked > SlowAnswerNs)
            _events.Note("stalled", $"{_pipeline.Label}: a look was answered after {Quantity.Duration(answered - asked)} only");
        if (!reply.IsNull)
            Judge(reply.Content, answered);
        _olderAskedNs = asked;
    }

    private void Judge(ReadOnlySpan<byte> value, long answered)
    {
        var isOurs = ProbeValue.TryRead(value, out var session, out var number, out var intended, out var sent)
            && session == _session;
        if (!isOurs)
        {
            if (!_isForeign)
            {
                _tally.FindForeign();
                _events.Note("overwritten", $"{_pipeline.Label}: somebody else wrote to the key of the heartbeats");
            }

            _isForeign = true;
            return;
        }

        _isForeign = false;
        if (number <= _tally.LastSeen)
            return;
        var lastMiss = Math.Max(sent, _olderAskedNs);
        _tally.See(number, sent, answered);
        _delays.Read++;
        _delays.Record(sent, intended, lastMiss, answered);
        _found(lastMiss + ((answered - lastMiss) / 2) - sent);
    }
}
