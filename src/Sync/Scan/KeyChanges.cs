using System.Buffers.Text;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Scan;

/// <summary>
/// Which keys of a server have changed, as its keyspace notifications tell: each once, however often it changed, as
/// what it is then is read later. Where keys may have been missed, it says that a new scan is due.
/// </summary>
internal sealed class KeyChanges : IDisposable
{
    public const string Pattern = "__keyevent@*__:*";
    public const string Replaced = "another server took the place of the source";
    // Its answer comes behind all notifications; PUNSUBSCRIBE would take one more right.
    private const string Farewell = "redislatency-ends";
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Moment = TimeSpan.FromSeconds(1);

    private readonly ResolvedTarget _target;
    private readonly int _most;
    private readonly Reconnection _reconnection;
    private readonly HashSet<ChangedKey> _known = [];
    private readonly Queue<(ChangedKey Key, long SinceNs)> _waiting = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly UnnotifiedChanges _silent;
    private readonly Thread[] _threads;
    private RedisPipeline _pipeline;
    private string? _missed;
    private (int Keys, long SinceNs) _taken;
    private bool _isSubscribed = true;
    private volatile bool _isEnding;
    private volatile bool _isToRenew;
    private volatile string _process = string.Empty;
    private bool _hasLeft;
    private Exception? _failure;

    private KeyChanges(ResolvedTarget target, int most, TimeSpan patience)
    {
        (_target, _most, _reconnection) = (target, most, new Reconnection(patience));
        _pipeline = Open();
        _silent = new UnnotifiedChanges(target);
        FindSilent();
        _threads =
        [
            new Thread(Run) { IsBackground = true, Name = $"changes of {target.Name}" },
            new Thread(Watch) { IsBackground = true, Name = $"looks at {target.Name}" },
        ];
        Array.ForEach(_threads, thread => thread.Start());
    }

    // With those that were taken and are still being copied.
    public int Waiting
    {
        get
        {
            lock (_known)
                return _waiting.Count + _taken.Keys;
        }
    }

    // When the first was told of that still waits; 0 where none does.
    public long OldestNs
    {
        get
        {
            lock (_known)
                return _taken.Keys > 0 ? _taken.SinceNs : _waiting.TryPeek(out var first) ? first.SinceNs : 0;
        }
    }

    // At the end whatever waits was left behind.
    public bool IsBehind => OldestNs is > 0 and var oldest
        && (_isEnding || MonotonicClock.NowNs() - oldest > Moment.InNanoseconds);

    public IEnumerable<string> Doubts => _silent.Doubts;

    // Whose keys it hears of.
    public string Process => _process;

    // Subscribes: what changes from now on is told.
    public static KeyChanges Begin(ResolvedTarget target, int most, TimeSpan patience) => new(target, most, patience);

    /// <exception cref="RunRefusedException">The server notifies of nothing, or of some changes only.</exception>
    public static void Require(ResolvedTarget target, ISet<string> notes)
    {
        using var control = target.OpenControl();
        var now = new SourceSnapshot(ServerSnapshot.Of(control), SourceSnapshot.FlagsOf(control, out var whyNot));
        if (now.NotifiesOfAll is null)
        {
            notes.Add($"{target.Name}: whether it notifies of all changes could not be checked ({whyNot}); "
                + $"notify-keyspace-events has to be {SourceSnapshot.NeededFlags}.");
        }
        else if (now.NotifiesOfAll == false)
        {
            throw new RunRefusedException($"--follow: {target.Name} does not notify of all changes "
                + $"(notify-keyspace-events is '{now.Flags}'). Type there: "
                + $"CONFIG SET notify-keyspace-events {SourceSnapshot.NeededFlags}");
        }
    }

    // Moves what has changed, in the order of the first change.
    public void Take(List<ChangedKey> into, int most)
    {
        lock (_known)
        {
            if (_failure is not null)
                throw new TargetLostException(_failure.Message, _failure);
            while (into.Count < most && _waiting.TryDequeue(out var one))
            {
                _known.Remove(one.Key);
                _taken = (_taken.Keys + 1, _taken.Keys == 0 ? one.SinceNs : _taken.SinceNs);
                into.Add(one.Key);
            }
        }
    }

    public void EndTaken()
    {
        lock (_known)
            _taken = default;
    }

    // Once what the source has told until now was heard.
    public void EndListening()
    {
        _isEnding = true;
        lock (_known)
        {
            // Then nothing is to be heard, and the waiting for it is over.
            if (!_isSubscribed)
                _ended.Cancel();
        }

        _threads[0].Join();
    }

    /// <summary>
    /// Why changes may have been missed since it was asked last; null where none was, or while they still are.
    /// </summary>
    public string? TakeMissed(bool isLast = false)
    {
        lock (_known)
        {
            if (!_isSubscribed && !isLast)
                return null;
            var missed = _missed;
            _missed = null;
            return missed;
        }
    }

    // On a thread of its own, as a source far away answers late.
    public void FindSilent(bool isLast = false)
    {
        string? missed;
        _isEnding |= isLast;
        // What the looks before it have found is known then.
        if (isLast)
            _threads[1].Join();
        try
        {
            missed = _silent.Check(isLast);
            if (_silent.Process is { } process && process != _process)
                Renew();
        }
        catch (RedisException lost)
        {
            missed = isLast ? $"the source could not be asked at the end ({lost.Message})" : null;
        }

        if (missed is not null)
        {
            lock (_known)
                _missed = missed;
        }
    }

    // Another server answers at the source's address by now, while the one that is heard may live on.
    public void Renew()
    {
        lock (_known)
            (_isSubscribed, _missed) = (false, Replaced);
        _isToRenew = true;
    }

    // Waits for a change, but not for long.
    public void Await()
    {
        lock (_known)
        {
            if (_waiting.Count == 0)
                Monitor.Wait(_known, LongestWait / 2);
        }
    }

    public void Dispose()
    {
        _isEnding = true;
        _ended.Cancel();
        Array.ForEach(_threads, thread => thread.Join());
        _pipeline.Dispose();
        _silent.Dispose();
        _ended.Dispose();
    }

    private RedisPipeline Open()
    {
        var pipeline = RedisPipeline.Open(_target.Endpoint with { Database = 0 }, _target.Connection with
        {
            ClientName = "redislatency-changes",
        });
        try
        {
            _process = ScanReplies.AskProcess(pipeline);
            pipeline.Ask("PSUBSCRIBE", Pattern);
            return pipeline;
        }
        catch
        {
            pipeline.Dispose();
            throw;
        }
    }

    private void Run()
    {
        while (!_ended.IsCancellationRequested && !_hasLeft)
        {
            try
            {
                Listen();
            }
            catch (RedisException lost)
            {
                Restore(lost);
            }
        }
    }

    private void Watch()
    {
        while (!_ended.Token.WaitHandle.WaitOne(BetweenChecks) && !_isEnding)
            FindSilent();
    }

    private void Listen()
    {
        var heardNs = MonotonicClock.NowNs();
        var isAsked = false;
        var isLeaving = false;
        while (!_ended.IsCancellationRequested && !_hasLeft)
        {
            if (_isToRenew)
                throw new RedisConnectionLostException(Replaced);
            if (_isEnding && !isLeaving)
            {
                isLeaving = true;
                Send("PING", Farewell);
            }

            var limit = MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + (LongestWait.InNanoseconds));
            if (_pipeline.Receive(limit))
                (heardNs, isAsked) = (MonotonicClock.NowNs(), false);
            while (_pipeline.TryTakeAny(out var reply))
            {
                _reconnection.NoteServed();
                Read(ref reply);
            }

            // A link that is cut somewhere says nothing either.
            var silentNs = MonotonicClock.NowNs() - heardNs;
            if (silentNs > LongestSilence.InNanoseconds && !isAsked)
            {
                isAsked = true;
                Send("PING");
            }
            else if (silentNs > LongestSilence.InNanoseconds + _pipeline.ReplyTimeout.InNanoseconds)
            {
                throw new RedisTimeoutException("no reply in time");
            }
        }
    }

    private void Restore(RedisException lost)
    {
        lock (_known)
            (_isSubscribed, _missed) = (false, $"notifications were lost ({lost.Message})");
        if (_isEnding)
            _ended.Cancel();
        _pipeline.Dispose();
        _silent.Leave();
        _isToRenew = false;
        try
        {
            if (_reconnection.TryReach(Open, _ended.Token, out var opened))
                _pipeline = opened;
            lock (_known)
                _isSubscribed = true;
        }
        catch (RedisException failure)
        {
            lock (_known)
                _failure = failure;
            _ended.Cancel();
        }
    }

    private void Send(params ReadOnlySpan<string> words)
    {
        var request = new RespWriter();
        request.WriteRequest(words);
        _pipeline.Send(request.Written);
    }

    // ["pmessage", pattern, "__keyevent@3__:set", key]; ["pong", text], or the text alone (RESP3)
    private void Read(ref RespCursor reply)
    {
        var parts = reply.Type is RespType.Push or RespType.Array ? reply.Number : 0;
        for (var i = 0; parts == 2 && i < parts; i++)
            reply.MoveNext();
        // A refusal has the same place among the notifications.
        _hasLeft |= Ascii.Equals(reply.Content, Farewell) || (_isEnding && reply.IsError);
        if (parts != 4)
            return;
        reply.MoveNext();
        if (!reply.Content.SequenceEqual("pmessage"u8))
            return;
        reply.MoveNext();
        reply.MoveNext();
        var channel = reply.Content;
        var at = channel.IndexOf((byte)'@') + 1;
        if (!Utf8Parser.TryParse(channel[at..], out int database, out _))
            return;
        reply.MoveNext();
        Add(new ChangedKey(database, Encoding.Latin1.GetString(reply.Content)));
    }

    private void Add(ChangedKey key)
    {
        lock (_known)
        {
            if (_known.Contains(key))
                return;
            if (_known.Count >= _most)
            {
                _missed = $"more than {_most} changed keys waited";
                return;
            }

            _known.Add(key);
            _waiting.Enqueue((key, MonotonicClock.NowNs()));
            Monitor.Pulse(_known);
        }
    }
}

/// <param name="Database">Where it is.</param>
/// <param name="Name">Its bytes, each as the character of that number.</param>
internal readonly record struct ChangedKey(int Database, string Name);
