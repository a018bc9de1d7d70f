using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Servers;

/// <summary>
/// A connection that is reopened when lost, while options allow, to whichever server has its keys by then. One that has
/// not answered rightly is no recovery: its loss belongs to the same outage. One thread, but for IsInDoubt.
/// </summary>
internal sealed class ReconnectingPipeline : IDisposable
{
    public const int MostValues = 528;
    public const int LongestValue = 1 << 20;

    // The kind of the event that a server did not answer what it was asked.
    public const string AnsweredWrongly = "wrong-answer";

    // What others wrote to a key, or publish, may be longer, and says nothing.
    private static readonly RespLimits Replies = RespLimits.OfValues(LongestValue, MostValues) with
    {
        MaxBulkLength = RespLimits.Default.MaxBulkLength,
        LongestKept = LongestValue,
    };

    private readonly Reconnection _reconnection;
    private readonly IServerLocator _locator;
    private readonly SessionEvents _events;
    private readonly IStopToken _stop;
    private (ResolvedTarget Target, RedisPipeline Pipeline)? _named;
    private long _bytesBefore;
    private bool _isClosed;
    private volatile bool _isInDoubt;

    public ReconnectingPipeline(IServerLocator locator, TimeSpan limit, SessionEvents events, IStopToken stop)
    {
        (_locator, _events, _stop) = (locator, events, stop);
        // It serves by right answers only, however long it lasts.
        _reconnection = new Reconnection(limit) { Lasting = TimeSpan.MaxValue };
        Target = locator.Require();
        Current = Open(Target);
    }

    public RedisPipeline Current { get; private set; }
    public ResolvedTarget Target { get; private set; }

    public string Label => _locator.Label;

    public bool IsElsewhere => !ReferenceEquals(_locator.Target, Target);

    // Whether what was opened after a loss was lost as well before it had answered rightly.
    public bool IsInDoubt => _isInDoubt;

    public long Bytes => _bytesBefore + Current.Bytes + (_named?.Pipeline.Bytes ?? 0);

    // After a loss, or where its place is another server's by now. False where the run was stopped meanwhile.
    public bool TryRestore(RedisException? loss)
    {
        if (loss is not null)
            _events.Note(loss is RedisProtocolException ? AnsweredWrongly : "disconnected", $"{Label}: {loss.Message}");
        CloseNamed();
        Current.Dispose();
        _isClosed = true;
        var closedAt = MonotonicClock.NowNs();
        if (loss is null)
            _reconnection.LeaveServer();
        else if (_reconnection.IsUnproven)
            Doubt(loss);
        try
        {
            if (!_reconnection.TryReach(Reopen, _stop.Cancellation, out var opened))
                return false;
            _bytesBefore += Current.Bytes;
            (Current, Target) = opened;
            _isClosed = false;
        }
        catch (RedisException failure)
        {
            throw new TargetLostException($"{Label} was lost and did not come back: {failure.Message}", failure);
        }

        var took = MonotonicClock.NowNs() - closedAt;
        _events.Note("reconnected", $"{Label}: connected to {Target.Name} after {Quantity.Duration(took)}");
        return true;
    }

    // Over which the server that ASK names is asked, told so; null where nobody can know it.
    public RedisPipeline? TryAskNamed(string error)
    {
        if (_locator.NamedBy(error) is not { } target)
            return null;
        if (_named is not { } named || named.Target != target)
        {
            CloseNamed();
            _named = named = (target, Open(target));
        }

        named.Pipeline.Ask("ASKING");
        return named.Pipeline;
    }

    public void NoteAnswer(bool isRefused)
    {
        if (isRefused)
        {
            _reconnection.NoteRefused();
        }
        else if (_reconnection.IsUnproven)
        {
            _reconnection.NoteServed();
            _isInDoubt = false;
        }
    }

    // At the end: an answer more than there were questions was not for who took it.
    public void RequireSilence()
    {
        try
        {
            if (!_isClosed)
                Current.RequireSilence();
        }
        catch (RedisProtocolException problem)
        {
            _events.Note(AnsweredWrongly, $"{Label}: {problem.Message}");
        }
        catch (RedisException)
        {
            // Nobody needs it any more.
        }
    }

    // Returns whether it is another server now.
    public bool Restore(RedisException? loss)
    {
        var before = Target;
        if (TryRestore(loss))
            return before != Target;
        throw new TargetLostException(
            $"{Label} {(loss is null ? "went elsewhere" : "was lost")} while the run was stopped.", loss);
    }

    public void Dispose()
    {
        CloseNamed();
        Current.Dispose();
    }

    private void CloseNamed()
    {
        if (_named is not { } named)
            return;
        _bytesBefore += named.Pipeline.Bytes;
        named.Pipeline.Dispose();
        _named = null;
    }

    private void Doubt(RedisException loss)
    {
        _isInDoubt = true;
        if (_reconnection.IsOverdue)
            throw new TargetLostException($"{Label} was lost and gave no right answer since: {loss.Message}", loss);
    }

    private (RedisPipeline Opened, ResolvedTarget Target) Reopen()
    {
        if (!IsElsewhere || _locator.Target is null)
            _locator.Renew();
        var target = _locator.Require();
        return (Open(target), target);
    }

    private RedisPipeline Open(ResolvedTarget target) => RedisPipeline.Open(
        target.Endpoint,
        target.Connection with { ClientName = $"redislatency-{_locator.Role}", ReplyLimits = Replies });
}
