using System.Text;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Looks at keys beside a connection that is pushed to, one look at a time, on a thread and a connection of its own:
/// neither the way there and back nor the values are in what pushes measure.
/// </summary>
internal sealed class KeyLooks : IDisposable
{
    /// <summary>The most keys of a look.</summary>
    public const int MostAtOnce = 512;

    private static readonly RespLimits Replies = RespLimits.OfValues(ProbeValue.MaxLength, MostAtOnce);

    private readonly IServerPlace _place;
    private readonly ProbeKey _key;
    private readonly ulong _session;
    private readonly RoleCheck? _role;
    private readonly AutoResetEvent _asked = new(initialState: false);
    private readonly Thread _thread;
    private RedisConnection? _connection;
    private ResolvedTarget? _target;
    private IReadOnlyList<long> _numbers = [];
    private ResolvedTarget? _where;
    private volatile KeyLook? _made;
    private volatile bool _isStopped;

    /// <summary>Waits for the first look that is wanted.</summary>
    /// <param name="place">Where keys are read.</param>
    /// <param name="prefix">What they begin with.</param>
    /// <param name="session">Whose they are.</param>
    /// <param name="role">Whether that still is a replica; null where that is known otherwise.</param>
    public KeyLooks(IServerPlace place, string prefix, ulong session, RoleCheck? role)
    {
        (_place, _key, _session, _role) = (place, new ProbeKey(prefix, session), session, role);
        _thread = new Thread(Run) { Name = "delay-looks", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Whether a look was begun and not taken.</summary>
    public bool IsBusy { get; private set; }

    /// <summary>Begins a look; the one before must have been taken.</summary>
    /// <param name="target">At which server.</param>
    /// <param name="numbers">At which keys; at most <see cref="MostAtOnce"/>.</param>
    public void Begin(ResolvedTarget target, IReadOnlyList<long> numbers)
    {
        IsBusy = true;
        (_where, _numbers) = (target, numbers);
        _asked.Set();
    }

    /// <summary>Takes the look that was begun, once it is made.</summary>
    public bool TryTake(out KeyLook look)
    {
        look = _made!;
        if (look is null)
            return false;
        (_made, IsBusy) = (null, false);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isStopped = true;
        _asked.Set();
        _thread.Join();
        _asked.Dispose();
        _connection?.Dispose();
    }

    private void Run()
    {
        while (true)
        {
            _asked.WaitOne();
            if (_isStopped)
                return;
            _made = Look(_where!, _numbers);
        }
    }

    private KeyLook Look(ResolvedTarget target, IReadOnlyList<long> numbers)
    {
        var asked = MonotonicClock.NowNs();
        try
        {
            if (!ReferenceEquals(_target, target))
                Close();
            _target = target;
            _connection ??= _place.OpenControl(target);
            asked = MonotonicClock.NowNs();
            var reply = _connection.Request(Replies, ["MGET", .. numbers.Select(NameOf)]);
            if (reply.IsError)
                throw new RedisServerException(reply.Text);
            var answered = MonotonicClock.NowNs();
            if (reply.Items.Count != numbers.Count)
                throw new RedisProtocolException($"MGET of {numbers.Count} keys was answered with {reply.Items.Count} values");
            return _role?.IsReplica(target) == false
                ? new KeyLook(target, [], asked, answered, IsPromoted: true)
                : new KeyLook(target, [.. numbers.Zip(reply.Items, Seen)], asked, answered);
        }
        catch (RedisException failure)
        {
            // The connection that is pushed to tells what is wrong there, but not that its keys are elsewhere by now.
            if (failure is RedisServerException { Code: "MOVED" })
                _place.Doubt();
            Close();
            return new KeyLook(target, [], asked, MonotonicClock.NowNs());
        }
    }

    private string NameOf(long number) => Encoding.ASCII.GetString(_key.Of(number));

    private SeenKey Seen(long number, RespValue value)
    {
        if (value.IsNull)
            return new SeenKey(number, SeenState.Absent, 0, 0);
        return ProbeValue.TryRead(value.Content, out var session, out var sequence, out var intended, out var sent)
            && session == _session && sequence == number
            ? new SeenKey(number, SeenState.AsWritten, intended, sent)
            : new SeenKey(number, SeenState.Overwritten, 0, 0);
    }

    private void Close()
    {
        _connection?.Dispose();
        _connection = null;
    }
}

/// <summary>A key as a look found it.</summary>
/// <param name="Number">Its number.</param>
/// <param name="State">What was found.</param>
/// <param name="IntendedNs">When it was due, by the writer's clock; zero where it is not as it was written.</param>
/// <param name="SentNs">When it was sent, by the writer's clock; zero likewise.</param>
internal readonly record struct SeenKey(long Number, SeenState State, long IntendedNs, long SentNs);

/// <summary>What a look found of a key.</summary>
internal enum SeenState
{
    /// <summary>It is not there.</summary>
    Absent,

    /// <summary>It is there as it was written.</summary>
    AsWritten,

    /// <summary>It has another value.</summary>
    Overwritten,
}
