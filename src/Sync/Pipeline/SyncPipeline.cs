using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Pipeline;

/// <summary>Joins readers with a writer: a thread for each reader, which reads, filters and hands on.</summary>
internal sealed class SyncPipeline : IDisposable
{
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(500);

    private readonly ISyncWriter _writer;
    private readonly FunctionPlan? _function;
    private readonly SyncFault _fault;
    private readonly IStopToken _stop;
    private readonly List<SyncShard> _shards;

    public SyncPipeline(
        IReadOnlyList<ISyncReader> readers, ISyncWriter writer, TransformPlan plan, CommandTable table,
        SessionEvents events, SyncFault fault, IStopToken stop, double rate)
    {
        (_writer, _function, _fault, _stop) = (writer, plan.Function, fault, stop);
        var pacer = new RatePacer(rate);
        _shards =
        [
            .. readers.Select(reader => new SyncShard(reader, writer, plan, table, events, fault, stop, pacer)),
        ];
    }

    public IReadOnlyList<SyncShard> Shards => _shards;

    // Which share is settled, by counts that were taken together; null where no end is known. By entries, as shards
    // differ in size.
    public double? ProgressAt(long read, long settled)
    {
        var (all, least) = (0.0, 1.0);
        foreach (var shard in _shards)
        {
            if ((shard.IsDone ? 1 : shard.Reader.Progress.Done) is not (> 0 and var share))
                return null;
            all += shard.Counts.Read / share;
            least = Math.Min(least, share);
        }

        return all > 0 ? Math.Min(read, settled) / all : least;
    }

    /// <summary>Reads all to their ends, and waits until the target has everything.</summary>
    /// <exception cref="Redis.RedisException">A server is lost, or refuses.</exception>
    public void Run()
    {
        var threads = _shards.ConvertAll(shard => new Thread(() => Run(shard))
        {
            IsBackground = true,
            Name = $"source {shard.Reader.Name}",
        });
        threads.ForEach(thread => thread.Start());
        threads.ForEach(Join);
        if (_fault.First is { } failure)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
        _writer.Complete(isWhole: _shards.TrueForAll(shard => shard.Reader.Missing is null));
        _stop.Cancellation.ThrowIfCancellationRequested();
    }

    public void Dispose()
    {
        _writer.Dispose();
        _shards.ForEach(shard => shard.Dispose());
    }

    private void Join(Thread thread)
    {
        while (!thread.Join(BetweenChecks) && _function is not { IsGivenUp: true })
        {
        }
    }

    private void Run(SyncShard shard)
    {
        try
        {
            Read(shard);
            shard.EndExpiredKeys();
            shard.AwaitApplied();
            shard.SaveCheckpoint();
            shard.IsDone = true;
        }
#pragma warning disable CA1031 // Whatever ends a reader ends the run, and is told as the run's failure.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            // Nobody waited for it, and the run may be over.
            if (_function is not { IsGivenUp: true })
                _fault.Set(failure);
        }
    }

    // A request to stop ends the reading; the target still gets what was read.
    private void Read(SyncShard shard)
    {
        try
        {
            shard.Reader.Read(shard, _stop);
        }
        catch (OperationCanceledException) when (_stop.IsRequested && !_fault.IsSet)
        {
        }
    }
}
