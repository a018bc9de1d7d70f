using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Sources;
using static RedisLatency.Sync.Scan.ScanReplies;

namespace RedisLatency.Sync.Scan;

// The connection of a scan, which comes back as long as the scan comes on.
internal sealed class ScanLink(ResolvedTarget target, ScanValues values, TimeSpan patience) : IDisposable
{
    // What counts is not that it is answered, but that the scan comes on.
    private readonly Reconnection _reconnection = new(patience) { Lasting = TimeSpan.MaxValue };
    private RedisPipeline? _pipeline;
    // How much had come when the connection was lost.
    private long _cameUntil = -1;

    public RedisEndpoint? ReadFrom => _pipeline?.Endpoint;

    // Which process it reads; null before it is known.
    public string? Process { get; set; }

    private string Name => target.Name;

    public void Dispose() => Close();

    // Until it has succeeded.
    public void Use(ISyncSink sink, IStopToken stop, Action<RedisPipeline> work, bool mayFinish = false)
    {
        while (!Try(sink, work))
            Restore(sink, stop, mayFinish);
    }

    // False where the connection is lost, or the source does not answer for a while: the scan goes on with the page it
    // has, which is as good as before.
    public bool Try(ISyncSink sink, Action<RedisPipeline> work)
    {
        try
        {
            work(_pipeline ?? Open());
            _cameUntil = -1;
            _reconnection.NoteServed();
            return true;
        }
        catch (RedisException lost) when (lost.IsTransient && lost is not RedisServerException { Code: "TRYAGAIN" })
        {
            sink.Note("disconnected", $"source {Name}: {lost.Message}");
            var asksLess = _pipeline is not null && lost is RedisConnectionLostException or RedisTimeoutException
                && values.AskLess(Name, lost is RedisTimeoutException);
            Close();
            NoteStandstill(lost, asksLess);
            return false;
        }
    }

    // Once it shall end, only what waits is still brought, as long as something of it comes.
    public void Restore(ISyncSink sink, IStopToken stop, bool mayFinish = false)
    {
        if (stop.IsRequested && (!mayFinish || _reconnection.IsUnproven))
            stop.Cancellation.ThrowIfCancellationRequested();
        try
        {
            if (!_reconnection.TryReach(Open, stop.Cancellation, out _))
                stop.Cancellation.ThrowIfCancellationRequested();
        }
        catch (RedisServerException lost) when (lost.IsTransient)
        {
            throw Standstill(lost);
        }

        sink.Note("reconnected", $"source {Name}: the scan goes on at its cursor");
    }

    public void Close()
    {
        _pipeline?.Dispose();
        _pipeline = null;
    }

    private void NoteStandstill(RedisException lost, bool asksLess)
    {
        if (values.Came != _cameUntil || asksLess)
        {
            _cameUntil = values.Came;
            _reconnection.NoteServed();
        }
        else if (_reconnection.IsOverdue)
        {
            throw Standstill(lost);
        }
    }

    private TargetLostException Standstill(RedisException lost) => new(
        $"The scan of the source {Name} has not come on for {patience.TotalSeconds:0.#} s: {lost.Message}. "
            + "--command-timeout says how long an answer may take; a server closes a connection whose answers are "
            + "longer than its client-output-buffer-limit or maxmemory-clients.",
        lost);

    // A cursor, and what is told of changes, are of one server.
    private void RequireProcess(string process)
    {
        if (Process is not null && Process != process)
        {
            throw new TargetLostException(
                $"The source {Name} was started again, or another took its place: the cursor of a scan says nothing "
                    + "there. Begin again; --on-existing rewrite replaces what is at the target already.");
        }

        Process = process;
    }

    private RedisPipeline Open()
    {
        Close();
        _pipeline = RedisPipeline.Open(target.Endpoint with { Database = 0 }, target.Connection with
        {
            ClientName = "redislatency-scan",
            ReplyLimits = RespLimits.Default,
        });
        try
        {
            values.MeasureSource(_pipeline);
            RequireProcess(AskProcess(_pipeline));
            // A server that loads its data answers all but this.
            Ask(_pipeline, "SCAN", "0", "COUNT", "1");
            return _pipeline;
        }
        catch
        {
            Close();
            throw;
        }
    }
}
