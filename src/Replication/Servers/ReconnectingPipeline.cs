using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Servers;

/// <summary>
/// A connection that is reopened when lost, while options allow, to wherever its place is by then. One that has not
/// answered rightly is no recovery: its loss belongs to the same outage. One thread, but for IsInDoubt.
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

    private readonly JitteredBackoff _backoff = new();
    private readonly IServerLocator _place;
    private readonly TimeSpan _limit;
    private readonly SessionEvents _events;
    private readonly IStopToken _stop;
    private long _bytesBefore;
    private long _lostAtNs;
    private bool _isClosed;
    private bool _isUnproven;
    private volatile bool _isInDoubt;

    public ReconnectingPipeline(IServerLocator place, TimeSpan limit, SessionEvents events, IStopToken stop)
    {
        (_place, _limit, _events, _stop) = (place, limit, events, stop);
        Target = place.Require();
        Current = Open(Target);
    }

    public RedisPipeline Current { get; private set; }
    public ResolvedTarget Target { get; private set; }

    public string Label => _place.Label;

    public bool IsElsewhere => !ReferenceEquals(_place.Target, Target);

    // Whether what was opened after a loss was lost as well before it had answered rightly.
    public bool IsInDoubt => _isInDoubt;

    public long Bytes => _bytesBefore + Current.Bytes;

    private bool IsOverdue => TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - _lostAtNs) >= _limit;

    // After a loss, or where its place is another server's by now. False where the run was stopped meanwhile.
    public bool TryRestore(RedisException? loss)
    {
        if (loss is not null)
            _events.Note(loss is RedisProtocolException ? AnsweredWrongly : "disconnected", $"{Label}: {loss.Message}");
        Current.Dispose();
        _isClosed = true;
        var closedAt = MonotonicClock.NowNs();
        if (_lostAtNs == 0)
            _lostAtNs = closedAt;
        if (loss is not null && _isUnproven && !TryAwaitAnother(loss))
            return false;
        try
        {
            if (!new JitteredBackoff().TryUntilDone(Reopen, MayPass, _stop.Cancellation, out var opened))
                return false;
            _bytesBefore += Current.Bytes;
            (Current, Target) = opened;
            (_isClosed, _isUnproven) = (false, true);
        }
        catch (RedisException failure)
        {
            throw new TargetLostException($"{Label} was lost and did not come back: {failure.Message}", failure);
        }

        var took = MonotonicClock.NowNs() - closedAt;
        _events.Note("reconnected", $"{Label}: connected to {Target.Name} after {Quantity.Duration(took)}");
        return true;

        bool MayPass(RedisException failure) => failure.MayPassAtReconnect && !IsOverdue;
    }

    // What was refused was answered; but one that refuses and closes is no more than one that closes.
    public void NoteAnswer(bool isRefused)
    {
        _lostAtNs = 0;
        if (isRefused || !_isUnproven)
            return;
        _isUnproven = _isInDoubt = false;
        _backoff.Reset();
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

    public void Dispose() => Current.Dispose();

    private bool TryAwaitAnother(RedisException loss)
    {
        _isInDoubt = true;
        if (IsOverdue)
            throw new TargetLostException($"{Label} was lost and gave no right answer since: {loss.Message}", loss);
        return !_stop.Cancellation.WaitHandle.WaitOne(_backoff.Next());
    }

    private (RedisPipeline Opened, ResolvedTarget Target) Reopen()
    {
        if (!IsElsewhere || _place.Target is null)
            _place.Renew();
        var target = _place.Require();
        return (Open(target), target);
    }

    private RedisPipeline Open(ResolvedTarget target) => RedisPipeline.Open(
        target.Endpoint,
        target.Connection with { ClientName = $"redislatency-{_place.Role}", ReplyLimits = Replies });
}
