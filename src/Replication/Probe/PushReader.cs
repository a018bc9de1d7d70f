using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// The destination reports each key; what it measures ends when the push is here: one instant, no interval. A
/// push is sent once: keys that none reports for a while, and all on their way when a connection is new, are polled
/// for beside it. One found twice without a push in between has an interval as polling gives. A push from a server that
/// is not read from any more does not count: a promoted replica reports what is written to itself. Where only the
/// value says when a key was sent, a poll reads it after the push.
/// </summary>
internal sealed class PushReader(
    IKeyRegister register, PushSubscription subscription, Func<long, long>? dueOf, TimeSpan deadline,
    LastingPipeline pipeline, KeyPolls polls, LinkStandstill? standstill = null) : IKeyReader
{
    private const long LongestNapNs = 20_000_000;
    private const long PollIntervalNs = 250_000_000;
    private const long PollPatienceNs = 2_000_000_000;

    // Pushes of keys that are not due yet by an offset that is not known well yet.
    private const int MostEarly = 65_536;

    private readonly long _deadlineNs = deadline.InNanoseconds;
    private readonly Dictionary<long, AwaitedKey> _awaited = [];
    private readonly Dictionary<long, long> _early = [];
    private readonly HashSet<long> _stampless = [];
    private readonly Queue<long> _toPoll = [];
    private readonly List<long> _pushed = [];
    private readonly List<long> _done = [];
    private readonly List<long> _polled = [];
    private bool _isSubscribed;
    private bool _isAnswered = true;
    private long _waitingSinceNs;
    private long _lastAdmitted = -1;
    private long _checkedNs;
    private long _polledNs;
    private long _stampedNs;

    public int Pending => _awaited.Count;

    public long Polls => 0;

    public long Unpushed { get; private set; }

    public void Run()
    {
        Pacer.WakePrecisely();
        while (true)
        {
            var hasEnded = register.HasEnded;
            Admit();
            if (_awaited.Count == 0 && hasEnded)
            {
                if (!_isAnswered)
                    throw new TargetLostException($"{pipeline.Label} did not answer any more at the end.");
                return;
            }

            if (_awaited.Count == 0 || _waitingSinceNs == 0)
                _waitingSinceNs = MonotonicClock.NowNs();
            try
            {
                if (pipeline.IsElsewhere)
                    Restore(null);
                if (!_isSubscribed)
                    Subscribe();
                Take();
                Poll();
            }
            catch (RedisException loss)
            {
                Restore(loss);
            }

            if (_awaited.Count > 0)
                standstill?.Check(MonotonicClock.NowNs(), _waitingSinceNs);
            GiveUp(MonotonicClock.NowNs());
        }
    }

    // Before it runs, so that a refusal comes early.
    public void Subscribe()
    {
        subscription.Begin(pipeline.Current);
        _isSubscribed = true;
        // What came before it was granted is reported by none.
        _toPoll.Clear();
        foreach (var number in _awaited.Keys)
            _toPoll.Enqueue(number);
    }

    private void Restore(RedisException? loss)
    {
        if (loss is RedisServerException { IsTransient: false })
            throw new TargetLostException($"{pipeline.Label}: {loss.Message}", loss);
        Renew(pipeline.Restore(loss) || loss is null);
    }

    private void Renew(bool isElsewhere)
    {
        _isSubscribed = false;
        _waitingSinceNs = 0;
        if (!isElsewhere)
            return;
        foreach (var awaited in _awaited.Values.ToList())
            _awaited[awaited.Key.Sequence] = new AwaitedKey(awaited.Key.Unpolled);
        _stampless.Clear();
        _early.Clear();
    }

    private void Take()
    {
        var current = pipeline.Current;
        var came = current.Receive(MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + LongestNapNs));
        var now = MonotonicClock.NowNs();
        // Who took over reports keys that were never replicated.
        if (!came || pipeline.IsElsewhere)
            return;
        // What is pushed was sent before, and its writer noted it before that.
        Admit();
        _pushed.Clear();
        while (current.TryTakeAny(out var push))
            subscription.Read(ref push, _pushed);
        foreach (var push in _pushed)
        {
            if (_awaited.TryGetValue(push, out var awaited))
                Pushed(awaited, now);
            else if (dueOf is null && push > _lastAdmitted && _early.Count < MostEarly)
                _early.TryAdd(push, now);
        }
    }

    private void Pushed(in AwaitedKey awaited, long now)
    {
        if (awaited.PushedNs != 0)
            return;
        _waitingSinceNs = now;
        var key = awaited.Key with { LastMissNs = now };
        if (dueOf is null)
        {
            _awaited[key.Sequence] = awaited with { PushedNs = now, SeenNs = 0 };
            _stampless.Add(key.Sequence);
            return;
        }

        register.Found(key, dueOf(key.Sequence), key.SentNs, now);
        _awaited.Remove(key.Sequence);
    }

    private void Admit()
    {
        while (register.TryAdmit(out var key))
        {
            _lastAdmitted = Math.Max(_lastAdmitted, key.Sequence);
            var awaited = new AwaitedKey(key);
            _awaited.Add(key.Sequence, awaited);
            if (_early.Remove(key.Sequence, out var early))
                Pushed(awaited, early);
        }
    }

    private void Poll()
    {
        if (polls.TryTake(out var poll))
            Judge(poll);
        var now = MonotonicClock.NowNs();
        if (polls.IsBusy)
            return;
        if (_toPoll.Count == 0 && now - _polledNs >= PollIntervalNs)
        {
            _polledNs = now;
            foreach (var (number, awaited) in _awaited)
            {
                if (awaited.PushedNs == 0 && now - awaited.Key.SentNs >= PollIntervalNs)
                    _toPoll.Enqueue(number);
            }
        }

        _polled.Clear();
        // One by one they would be as many polls as polling makes.
        if (now - _stampedNs >= LongestNapNs || _stampless.Count >= KeyPolls.MostAtOnce)
        {
            _stampedNs = now;
            _polled.AddRange(_stampless.Take(KeyPolls.MostAtOnce));
        }

        while (_polled.Count < KeyPolls.MostAtOnce && _toPoll.TryDequeue(out var number))
        {
            if (_awaited.TryGetValue(number, out var awaited) && awaited.PushedNs == 0)
                _polled.Add(number);
        }

        if (_polled.Count > 0)
            polls.Begin(pipeline.Target, [.. _polled]);
    }

    private void Judge(KeyPoll poll)
    {
        if (poll.Target != pipeline.Target)
            return;
        if (poll.IsPromoted)
        {
            // It may have been written to itself since nobody knows when.
            Renew(isElsewhere: true);
            throw new RedisConnectionLostException($"{poll.Target.Name} is no replica any more");
        }

        // A poll asks for a key at least.
        _isAnswered = poll.Keys.Count > 0;
        foreach (var seen in poll.Keys)
        {
            if (seen.State != SeenState.Absent)
                _waitingSinceNs = poll.AnsweredNs;
            if (_awaited.TryGetValue(seen.Number, out var awaited) && IsDone(awaited, seen, poll))
            {
                _awaited.Remove(seen.Number);
                _stampless.Remove(seen.Number);
            }
        }
    }

    private bool IsDone(in AwaitedKey awaited, in SeenKey seen, KeyPoll poll)
    {
        var isPushed = awaited.PushedNs != 0;
        switch (seen.State)
        {
            case SeenState.Overwritten:
                register.Overwritten(awaited.Key, isPushed ? awaited.PushedNs : poll.AnsweredNs);
                return true;
            case SeenState.AsWritten when isPushed:
                register.Found(
                    awaited.Key with { LastMissNs = awaited.PushedNs }, seen.IntendedNs, seen.SentNs, awaited.PushedNs);
                return true;
            case SeenState.AsWritten when awaited.SeenNs != 0:
                Unpushed++;
                register.Found(awaited.Key, seen.IntendedNs, seen.SentNs, awaited.SeenNs);
                return true;
            case SeenState.AsWritten:
                // Its push may be on its way.
                _awaited[seen.Number] = awaited with { SeenNs = poll.AnsweredNs };
                return false;
            case SeenState.Absent when isPushed:
                // A poll from before the push says nothing; of one that is gone since, nobody knows when it was sent.
                return poll.AskedNs > awaited.PushedNs;
            case SeenState.Absent when register.IsWithdrawn(seen.Number):
                return true;
            case SeenState.Absent when poll.AskedNs - awaited.Key.SentNs > _deadlineNs:
                register.Missing(awaited.Key, poll.AskedNs);
                return true;
            default:
                _awaited[seen.Number] = new AwaitedKey(awaited.Key with { LastMissNs = poll.AskedNs });
                return false;
        }
    }

    private void GiveUp(long now)
    {
        if (now - _checkedNs < LongestNapNs)
            return;
        _checkedNs = now;
        _done.Clear();
        var limit = _deadlineNs + PollPatienceNs;
        foreach (var (number, awaited) in _awaited)
        {
            if (register.IsWithdrawn(number) || now - awaited.Key.SentNs > limit)
                _done.Add(number);
        }

        foreach (var number in _done)
        {
            _awaited.Remove(number, out var awaited);
            _stampless.Remove(number);
            // Of one that was pushed, and whose value could not be had, nothing is known but that.
            if (!register.IsWithdrawn(number) && awaited.PushedNs == 0 && awaited.SeenNs == 0)
                register.Missing(awaited.Key, now);
        }
    }
}

/// <summary>A key that no push has reported, or of which it is not known yet when it was sent.</summary>
internal readonly record struct AwaitedKey(PendingKey Key, long PushedNs = 0, long SeenNs = 0);
