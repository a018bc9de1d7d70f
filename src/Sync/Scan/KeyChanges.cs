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
/// what it is then is read later. Where changes may have been missed, the run ends.
/// </summary>
internal sealed class KeyChanges : IDisposable
{
    public const string Pattern = "__keyevent@*__:*";
    // Its answer comes behind all notifications; PUNSUBSCRIBE would take one more right.
    private const string Farewell = "redislatency-ends";
    private const int MostWaiting = 1_000_000;
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Moment = TimeSpan.FromSeconds(1);

    private readonly ResolvedTarget _target;
    private readonly HashSet<ChangedKey> _known = [];
    private readonly Queue<(ChangedKey Key, long SinceNs)> _waiting = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly RedisPipeline _pipeline;
    private readonly Thread[] _threads;
    private RedisConnection? _control;
    private SourceSnapshot? _before;
    private (int Keys, long SinceNs) _taken;
    private volatile bool _isEnding;
    private bool _hasLeft;
    private string? _missed;

    /// <summary>Subscribes: what changes from now on is told.</summary>
    public KeyChanges(ResolvedTarget target)
    {
        _target = target;
        _pipeline = RedisPipeline.Open(target.Endpoint with { Database = 0 }, target.Connection with
        {
            ClientName = "redislatency-changes",
        });
        try
        {
            Process = ScanReplies.AskProcess(_pipeline);
            _pipeline.Ask("PSUBSCRIBE", Pattern);
        }
        catch
        {
            _pipeline.Dispose();
            throw;
        }

        Look();
        _threads =
        [
            new Thread(Listen) { IsBackground = true, Name = $"changes of {target.Name}" },
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

    // Whose keys it hears of.
    public string Process { get; }

    /// <summary>Whether notifications may have been off for a moment that no look has met.</summary>
    public bool MayHaveBeenSilent { get; private set; }

    /// <exception cref="RunRefusedException">The server notifies of nothing, or of some changes only.</exception>
    public static void Require(ResolvedTarget target, ISet<string> notes)
    {
        using var control = target.OpenControl();
        var now = new SourceSnapshot(ServerSnapshot.Of(control), SourceSnapshot.FlagsOf(control, out var whyNot));
        notes.Add($"What nothing notifies of is not followed: {SourceSnapshot.Unnotified}.");
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

    /// <exception cref="TargetLostException">Changes may have been missed.</exception>
    public void RequireAll()
    {
        if (Volatile.Read(ref _missed) is { } why)
        {
            throw new TargetLostException(
                $"Changes of the source {_target.Name} may have been missed: {why}. To begin anew: the same with "
                    + "--empty-destination.");
        }
    }

    // Moves what has changed, in the order of the first change.
    public void Take(List<ChangedKey> into, int most)
    {
        lock (_known)
        {
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
        _threads[0].Join();
    }

    /// <summary>Looks for the last time.</summary>
    /// <exception cref="TargetLostException">Changes may have been missed.</exception>
    public void EndLooking()
    {
        _threads[1].Join();
        Look(isLast: true);
        RequireAll();
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
        _control?.Dispose();
        _ended.Dispose();
    }

    private void Miss(string why) => Interlocked.CompareExchange(ref _missed, why, null);

    private void Watch()
    {
        while (!_ended.Token.WaitHandle.WaitOne(BetweenLooks) && !_isEnding)
            Look();
    }

    // What neither SCAN nor a notification tells is looked for in what the server says of itself. On a thread of its
    // own, as a source far away answers late.
    private void Look(bool isLast = false)
    {
        try
        {
            _control ??= _target.OpenControl();
            var now = SourceSnapshot.Of(_control);
            if ((now.Server.Fact("run_id") ?? string.Empty) != Process)
                Miss("it was started again, or another server took its place");
            else if (now.MissedSince(_before, isLast) is { } why)
                Miss(why);
            MayHaveBeenSilent |= now.MayHaveBeenSilentSince(_before);
            _before = now;
        }
        catch (RedisException lost)
        {
            _control?.Dispose();
            _control = null;
            if (isLast)
                Miss($"it could not be asked at the end ({lost.Message})");
        }
    }

    private void Listen()
    {
        try
        {
            Hear();
        }
        catch (RedisException lost)
        {
            Miss($"notifications were lost ({lost.Message})");
        }
    }

    private void Hear()
    {
        var heardNs = MonotonicClock.NowNs();
        var isAsked = false;
        var isLeaving = false;
        while (!_ended.IsCancellationRequested && !_hasLeft)
        {
            if (_isEnding && !isLeaving)
            {
                isLeaving = true;
                Send("PING", Farewell);
            }

            var limit = MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + (LongestWait.InNanoseconds));
            if (_pipeline.Receive(limit))
                (heardNs, isAsked) = (MonotonicClock.NowNs(), false);
            while (_pipeline.TryTakeAny(out var reply))
                Read(ref reply);

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
            if (_known.Count >= MostWaiting)
            {
                Miss($"more than {MostWaiting:N0} changed keys waited");
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
