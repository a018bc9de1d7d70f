using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Delay.Ends;

namespace RedisLatency.Replication.Delay.Reading.Pushes;

/// <summary>
/// Is told by the destination of each key. What it measures ends when the push is here: one instant and no interval. A
/// push that is lost is not sent again, so that its key is missing.
/// </summary>
internal sealed class PushReader : IKeyReader
{
    private const long LongestNapNs = 20_000_000;

    private readonly IKeyRegister _register;
    private readonly PushSubscription _subscription;
    private readonly Func<long, long> _dueOf;
    private readonly LastingPipeline _pipeline;
    private readonly long _deadlineNs;
    private readonly Dictionary<long, PendingKey> _pending = [];
    private readonly List<long> _numbers = [];
    private readonly List<PendingKey> _overdue = [];
    private long _checkedNs;

    /// <summary>Asks to be told.</summary>
    /// <param name="register">Of which keys, and what is done with them.</param>
    /// <param name="subscription">By what.</param>
    /// <param name="dueOf">When a key is due.</param>
    /// <param name="deadline">How long a push is waited for.</param>
    /// <param name="pipeline">The connection to the destination.</param>
    /// <exception cref="RedisException">It was not granted.</exception>
    public PushReader(
        IKeyRegister register, PushSubscription subscription, Func<long, long> dueOf, TimeSpan deadline,
        LastingPipeline pipeline)
    {
        (_register, _subscription, _dueOf, _pipeline) = (register, subscription, dueOf, pipeline);
        _deadlineNs = deadline.Ticks * TimeSpan.NanosecondsPerTick;
        _subscription.Begin(pipeline.Current);
    }

    /// <inheritdoc/>
    public int Pending => _pending.Count;

    /// <inheritdoc/>
    public long Polls => 0;

    /// <inheritdoc/>
    public void Run()
    {
        TimedWait.WakePrecisely();
        while (true)
        {
            var hasEnded = _register.HasEnded;
            Admit();
            if (_pending.Count == 0 && hasEnded)
                return;
            try
            {
                Take();
            }
            catch (RedisException loss)
            {
                if (!_pipeline.Restore(loss))
                    throw new TargetLostException("destination was lost while the run was stopped.", loss);
                _subscription.Begin(_pipeline.Current);
            }

            GiveUp(MonotonicClock.NowNs());
        }
    }

    private void Take()
    {
        var pipeline = _pipeline.Current;
        var came = pipeline.Receive(MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + LongestNapNs));
        var now = MonotonicClock.NowNs();
        if (!came)
            return;
        // What is pushed was sent before, and its writer noted it before that.
        Admit();
        _numbers.Clear();
        while (pipeline.TryTakeAny(out var push))
            _subscription.Read(ref push, _numbers);
        foreach (var number in _numbers)
        {
            if (_pending.Remove(number, out var key))
                _register.Found(key with { LastMissNs = now }, _dueOf(number), key.SentNs, now);
        }
    }

    private void Admit()
    {
        while (_register.TryAdmit(out var key))
            _pending.Add(key.Sequence, key);
    }

    private void GiveUp(long now)
    {
        if (now - _checkedNs < LongestNapNs)
            return;
        _checkedNs = now;
        _overdue.Clear();
        foreach (var key in _pending.Values)
        {
            if (_register.IsWithdrawn(key.Sequence) || now - key.SentNs > _deadlineNs)
                _overdue.Add(key);
        }

        foreach (var key in _overdue)
        {
            _pending.Remove(key.Sequence);
            if (!_register.IsWithdrawn(key.Sequence))
                _register.Missing(key, now);
        }
    }
}
