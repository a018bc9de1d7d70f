using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Sources;

/// <summary>
/// Which keys of a server have changed, as its keyspace notifications tell: each once, however often it changed, as
/// what it is then is read later. Where keys may have been missed, it says that a new scan is due.
/// </summary>
internal sealed class KeyChanges : IDisposable
{
    public const string Pattern = "__keyevent@*__:*";
    private const string NeededFlags = "AE";
    private static readonly string[] Silent = ["cmdstat_flushall", "cmdstat_flushdb", "cmdstat_swapdb"];
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    private readonly ResolvedTarget _target;
    private readonly int _most;
    private readonly TimeSpan _patience;
    private readonly HashSet<ChangedKey> _known = [];
    private readonly Queue<ChangedKey> _waiting = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly Thread _thread;
    private RedisPipeline _pipeline;
    private string? _missed;
    private bool _isSubscribed = true;
    private Exception? _failure;
    private RedisConnection? _control;
    private long? _flushes;
    private long _nextLookNs;

    private KeyChanges(ResolvedTarget target, int most, TimeSpan patience)
    {
        (_target, _most, _patience) = (target, most, patience);
        _pipeline = Open();
        LookForFlushes(now: true);
        _thread = new Thread(Run) { IsBackground = true, Name = $"changes of {target.Name}" };
        _thread.Start();
    }

    public int Waiting
    {
        get
        {
            lock (_known)
                return _waiting.Count;
        }
    }

    /// <summary>Subscribes: what changes from now on is told.</summary>
    public static KeyChanges Begin(ResolvedTarget target, int most, TimeSpan patience) => new(target, most, patience);

    /// <exception cref="RunRefusedException">The server notifies of nothing, or of some changes only.</exception>
    public static void Require(ResolvedTarget target, ISet<string> notes)
    {
        using var control = target.OpenControl();
        var reply = control.Request("CONFIG", "GET", "notify-keyspace-events");
        if (reply.IsError)
        {
            notes.Add($"{target.Name}: whether it notifies of all changes could not be checked ({reply.Text}); "
                + $"notify-keyspace-events has to be {NeededFlags}.");
            return;
        }

        var flags = reply.Find("notify-keyspace-events")?.Text
            ?? (reply.Items.Count > 1 ? reply.Items[1].Text : string.Empty);
        if (!flags.Contains('E', StringComparison.Ordinal)
            || !(flags.Contains('A', StringComparison.Ordinal) || "g$lshzxet".All(flags.Contains)))
        {
            throw new RunRefusedException($"--follow: {target.Name} does not notify of all changes "
                + $"(notify-keyspace-events is '{flags}'). Type there: "
                + $"CONFIG SET notify-keyspace-events {NeededFlags}");
        }
    }

    /// <summary>Moves what has changed, in the order of the first change.</summary>
    public void Take(List<ChangedKey> into, int most)
    {
        lock (_known)
        {
            if (_failure is not null)
                throw new TargetLostException(_failure.Message, _failure);
            while (into.Count < most && _waiting.TryDequeue(out var key))
            {
                _known.Remove(key);
                into.Add(key);
            }
        }
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

    // Once a second, or now: the server notifies of keys only, but counts its commands.
    public void LookForFlushes(bool now = false)
    {
        if (!now && MonotonicClock.NowNs() < _nextLookNs)
            return;
        _nextLookNs = MonotonicClock.NowNs() + BetweenLooks.InNanoseconds;
        long flushes;
        try
        {
            _control ??= _target.OpenControl();
            flushes = ServerFacts.FieldsOf(_control.Request("INFO", "commandstats").Text)
                .Where(field => Silent.Contains(field.Key))
                .Sum(field => long.Parse(field.Value.Split('=', ',')[1], CultureInfo.InvariantCulture));
        }
        catch (RedisException)
        {
            // Where the server is away, the notifications are lost too.
            _control?.Dispose();
            _control = null;
            return;
        }

        if (_flushes is { } before && flushes > before)
        {
            lock (_known)
                _missed = "the source carried out FLUSHALL, FLUSHDB or SWAPDB, of which it does not notify";
        }

        _flushes = flushes;
    }

    /// <summary>Waits for a change, but not for long.</summary>
    public void Await()
    {
        lock (_known)
        {
            if (_waiting.Count == 0)
                Monitor.Wait(_known, LongestPause / 10);
        }
    }

    public void Dispose()
    {
        _ended.Cancel();
        _thread.Join();
        _pipeline.Dispose();
        _control?.Dispose();
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
        while (!_ended.IsCancellationRequested)
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

    private void Listen()
    {
        var heardNs = MonotonicClock.NowNs();
        var isAsked = false;
        while (!_ended.IsCancellationRequested)
        {
            var limit = MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + (LongestPause.InNanoseconds / 5));
            if (_pipeline.Receive(limit))
                (heardNs, isAsked) = (MonotonicClock.NowNs(), false);
            while (_pipeline.TryTakeAny(out var reply))
                Read(ref reply);
            // A link that is cut somewhere says nothing either.
            var silentNs = MonotonicClock.NowNs() - heardNs;
            if (silentNs > LongestSilence.InNanoseconds && !isAsked)
            {
                isAsked = true;
                var ping = new RespWriter();
                ping.WriteRequest("PING");
                _pipeline.Send(ping.Written);
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
        _pipeline.Dispose();
        var since = MonotonicClock.NowNs();
        var backoff = new JitteredBackoff(limit: LongestPause);
        try
        {
            if (backoff.TryUntilDone(Open, MayPass, _ended.Token, out var opened))
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

        bool MayPass(RedisException problem) => problem.MayPassAtReconnect
            && MonotonicClock.NowNs() - since < _patience.InNanoseconds;
    }

    // ["pmessage", pattern, "__keyevent@3__:set", key]
    private void Read(ref RespCursor reply)
    {
        if (reply.Type is not (RespType.Push or RespType.Array) || reply.Number != 4)
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
            _waiting.Enqueue(key);
            Monitor.Pulse(_known);
        }
    }
}

/// <param name="Database">Where it is.</param>
/// <param name="Name">Its bytes, each as the character of that number.</param>
internal readonly record struct ChangedKey(int Database, string Name);
