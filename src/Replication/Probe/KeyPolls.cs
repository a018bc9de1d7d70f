using System.Text;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>Polls keys on a thread and connection of its own: what pushes measure has no part of it.</summary>
internal sealed class KeyPolls : IDisposable
{
    public const int MostAtOnce = 512;

    private static readonly RespLimits Replies = RespLimits.OfValues(ProbeValue.MaxLength, MostAtOnce);

    private readonly IServerPlace _place;
    private readonly KeyNames _key;
    private readonly ulong _session;
    private readonly RoleCheck? _role;
    private readonly AutoResetEvent _asked = new(initialState: false);
    private readonly Thread _thread;
    private readonly SideConnection _connection = new(target => target.OpenControl());
    private IReadOnlyList<long> _numbers = [];
    private ResolvedTarget? _where;
    private volatile KeyPoll? _made;
    private volatile bool _isStopped;

    public KeyPolls(IServerPlace place, string prefix, ulong session, RoleCheck? role)
    {
        (_place, _key, _session, _role) = (place, new KeyNames(prefix, session), session, role);
        _thread = new Thread(Run) { Name = "delay-polls", IsBackground = true };
        _thread.Start();
    }

    public bool IsBusy { get; private set; }

    public void Begin(ResolvedTarget target, IReadOnlyList<long> numbers)
    {
        IsBusy = true;
        (_where, _numbers) = (target, numbers);
        _asked.Set();
    }

    public bool TryTake(out KeyPoll poll)
    {
        poll = _made!;
        if (poll is null)
            return false;
        (_made, IsBusy) = (null, false);
        return true;
    }

    public void Dispose()
    {
        _isStopped = true;
        _asked.Set();
        _thread.Join();
        _asked.Dispose();
        _connection.Dispose();
    }

    private void Run()
    {
        while (true)
        {
            _asked.WaitOne();
            if (_isStopped)
                return;
            _made = Poll(_where!, _numbers);
        }
    }

    private KeyPoll Poll(ResolvedTarget target, IReadOnlyList<long> numbers)
    {
        var asked = MonotonicClock.NowNs();
        try
        {
            var connection = _connection.To(target);
            asked = MonotonicClock.NowNs();
            var reply = connection.Request(Replies, ["MGET", .. numbers.Select(NameOf)]);
            if (reply.IsError)
                throw new RedisServerException(reply.Text);
            var answered = MonotonicClock.NowNs();
            if (reply.Items.Count != numbers.Count)
                throw new RedisProtocolException(
                    $"MGET of {numbers.Count} keys was answered with {reply.Items.Count} values");
            return _role?.IsReplica(target) == false
                ? new KeyPoll(target, [], asked, answered, IsPromoted: true)
                : new KeyPoll(target, [.. numbers.Zip(reply.Items, Seen)], asked, answered);
        }
        catch (RedisException failure)
        {
            // The connection that is pushed to reports what is wrong there, but not that its keys are elsewhere by now.
            if (failure is RedisServerException { Code: "MOVED" })
                _place.Doubt();
            return new KeyPoll(target, [], asked, MonotonicClock.NowNs());
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
}

internal readonly record struct SeenKey(long Number, SeenState State, long IntendedNs, long SentNs);

internal enum SeenState
{
    Absent,
    AsWritten,
    Overwritten,
}

internal sealed record KeyPoll(
    ResolvedTarget Target, IReadOnlyList<SeenKey> Keys, long AskedNs, long AnsweredNs, bool IsPromoted = false);
