using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>
/// Tells the target each second that this run is at work, and ends it where another is too, or where another copy of
/// the same data was made meanwhile.
/// </summary>
internal sealed class CheckpointWatch : IDisposable
{
    private static readonly TimeSpan BetweenBeats = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestBetweenBeats = TimeSpan.FromSeconds(2.5);
    private static readonly TimeSpan LongestEnd = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenPolls = TimeSpan.FromMilliseconds(100);

    private readonly string _own = Guid.NewGuid().ToString("N")[..12];
    private readonly TargetServer _target;
    private readonly IReadOnlyList<ShardCheckpoint> _checkpoints;
    private readonly SyncFault _fault;
    private readonly ManualResetEventSlim _end = new();
    private readonly Thread _thread;
    private RedisConnection? _connection;
    private long _beats;
    private bool _isBroken;

    public CheckpointWatch(TargetServer target, IReadOnlyList<ShardCheckpoint> checkpoints, SyncFault fault)
    {
        (_target, _checkpoints, _fault) = (target, checkpoints, fault);
        _thread = new Thread(Watch) { IsBackground = true, Name = "checkpoint" };
        _thread.Start();
    }

    /// <summary>Waits until it is known that no other run is at work.</summary>
    /// <exception cref="RunRefusedException">One is.</exception>
    /// <exception cref="RedisException">The target cannot be asked.</exception>
    public static void RequireNobody(TargetServer target, IReadOnlyList<ShardCheckpoint> checkpoints, IStopToken stop)
    {
        using var connection = CheckpointStore.OpenFirst(target);
        string?[] first = [.. checkpoints.Select(one => BeatOf(connection, one))];
        if (first.All(beat => beat is null))
            return;
        var until = MonotonicClock.NowNs() + LongestBetweenBeats.InNanoseconds;
        while (MonotonicClock.NowNs() < until && !stop.WaitUntilRequested(BetweenPolls))
        {
            for (var i = 0; i < first.Length; i++)
            {
                if (BeatOf(connection, checkpoints[i]) is { } beat && beat != first[i])
                {
                    throw new RunRefusedException(
                        $"Another run is at work: it writes from {checkpoints[i].Name} to {target.Target.Name}. End "
                            + "it first.");
                }
            }
        }
    }

    public void Dispose()
    {
        _end.Set();
        // A server that does not answer keeps no run from its end.
        if (!_thread.Join(LongestEnd))
            return;
        _connection?.Dispose();
        _end.Dispose();
    }

    private void Watch()
    {
        do
        {
            try
            {
                _connection ??= CheckpointStore.OpenFirst(_target);
                foreach (var checkpoint in _checkpoints)
                    Watch(_connection, checkpoint);
                _beats++;
            }
            catch (Exception problem) when (problem is RedisException or RunRefusedException)
            {
                // While the target is away nobody writes there.
                _connection?.Dispose();
                _connection = null;
            }
        }
        while (!_end.Wait(BetweenBeats));

        // Whoever begins then need not wait for a beat.
        if (_connection is not null && !_isBroken)
            End(_connection);
    }

    private void Watch(RedisConnection connection, ShardCheckpoint checkpoint)
    {
        var beat = BeatOf(connection, checkpoint);
        if (_beats > 0 && beat?.StartsWith(_own, StringComparison.Ordinal) == false)
        {
            connection.Request(
                "HSET", CheckpointKeys.Name, CheckpointKeys.BrokenOf(checkpoint.Name), checkpoint.Generation);
            Fail($"Another run writes from {checkpoint.Name} to the target {_target.Target.Name}: what both wrote may "
                + "be there twice.");
        }
        else if (connection.Request("HGET", CheckpointKeys.Name, CheckpointKeys.BrokenOf(checkpoint.Name))
            is { IsError: false, IsNull: false } broken && broken.Text == checkpoint.Generation)
        {
            Fail($"Another run copied {checkpoint.Name} to the target {_target.Target.Name} meanwhile, or writes there "
                + "too.");
        }

        connection.Request(
            "HSET", CheckpointKeys.Name, CheckpointKeys.BeatOf(checkpoint.Name), $"{_own}{_beats}");
    }

    private void Fail(string why)
    {
        _isBroken = true;
        _fault.Set(new TargetLostException($"{why} {SyncRun.BeginsAnew}"));
    }

    private void End(RedisConnection connection)
    {
        try
        {
            foreach (var checkpoint in _checkpoints)
                connection.Request("HDEL", CheckpointKeys.Name, CheckpointKeys.BeatOf(checkpoint.Name));
        }
        catch (RedisException)
        {
            // It waits, then.
        }
    }

    private static string? BeatOf(RedisConnection connection, ShardCheckpoint checkpoint) =>
        connection.Request("HGET", CheckpointKeys.Name, CheckpointKeys.BeatOf(checkpoint.Name))
            is { IsError: false, IsNull: false } beat ? beat.Text : null;
}
