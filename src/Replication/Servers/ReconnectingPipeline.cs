using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Servers;

/// <summary>A connection that is reopened when lost, while options allow, to wherever its place is by then.</summary>
internal sealed class ReconnectingPipeline : IDisposable
{
    public const int MostValues = 528;
    public const int LongestValue = 1 << 20;

    // What others wrote to a key, or publish, may be longer, and says nothing.
    private static readonly RespLimits Replies = RespLimits.OfValues(LongestValue, MostValues) with
    {
        MaxBulkLength = RespLimits.Default.MaxBulkLength,
        LongestKept = LongestValue,
    };

    private readonly IServerLocator _place;
    private readonly TimeSpan _limit;
    private readonly SessionEvents _events;
    private readonly IStopToken _stop;
    private long _bytesBefore;

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

    public long Bytes => _bytesBefore + Current.Bytes;

    // After a loss, or where its place is another server's by now. False where the run was stopped meanwhile.
    public bool TryRestore(RedisException? loss)
    {
        if (loss is not null)
            _events.Note("disconnected", $"{Label}: {loss.Message}");
        Current.Dispose();
        var lostAt = MonotonicClock.NowNs();
        try
        {
            if (!new JitteredBackoff().TryFor(Reopen, _limit, _stop.Cancellation, out var opened))
                return false;
            _bytesBefore += Current.Bytes;
            (Current, Target) = opened;
        }
        catch (RedisException failure)
        {
            throw new TargetLostException($"{Label} was lost and did not come back: {failure.Message}", failure);
        }

        var took = MonotonicClock.NowNs() - lostAt;
        _events.Note("reconnected", $"{Label}: connected to {Target.Name} after {Quantity.Duration(took)}");
        return true;
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
