using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Reports.Output;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// Looks all the time at what the servers have to keep to, and ends the run where they do not: what is at the target is
/// not exact any more then. A target expires keys by its own clock: where that is ahead of the source's, it does so
/// before the source, and later commands find no key. The shards of a source are read independently of each other:
/// where slots move between them, what was done to their keys arrives in any order. What a target lost is seen by its
/// own watch.
/// </summary>
internal sealed class ServerWatch : IDisposable
{
    private const long MostAheadMs = 1000;
    // A failover may show slots elsewhere for a moment, so a problem has to be seen twice; both within two seconds.
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(700);
    private static readonly TimeSpan LongestEnd = TimeSpan.FromSeconds(1);

    private readonly List<ResolvedTarget> _sources;
    private readonly List<ResolvedTarget> _targets;
    private readonly Func<string?> _findMovedSlots;
    private readonly RedisWriter _writer;
    private readonly SyncFault _fault;
    private readonly ManualResetEventSlim _isOver = new();
    private readonly Thread _thread;

    /// <param name="source">Any server of it; null where files are read.</param>
    /// <param name="target">Any server of it.</param>
    /// <param name="findMovedSlots">Says which of the source's slots are not where they were, if any.</param>
    /// <param name="writer">What writes to the target.</param>
    /// <param name="fault">Ends the run.</param>
    /// <exception cref="RunRefusedException">It is so already.</exception>
    public ServerWatch(
        TargetServer? source, TargetServer target, Func<string?> findMovedSlots, RedisWriter writer, SyncFault fault)
    {
        (_sources, _targets) = (source?.FindPrimaries() ?? [], source is null ? [] : target.FindPrimaries());
        (_findMovedSlots, _writer, _fault) = (findMovedSlots, writer, fault);
        if (Problem() is { } problem)
            throw new RunRefusedException(problem);
        _thread = new Thread(Run) { IsBackground = true, Name = "servers" };
        _thread.Start();
    }

    public void Dispose()
    {
        _isOver.Set();
        // A server that does not answer keeps no run from its end.
        if (_thread.Join(LongestEnd))
            _isOver.Dispose();
    }

    private void Run()
    {
        var isSeen = false;
        while (!_isOver.Wait(BetweenChecks))
        {
            if (_writer.FindProblem() is { } lost)
                _fault.Set(new TargetLostException(lost));
            var problem = Problem();
            if (problem is not null && isSeen)
            {
                _writer.BreakCheckpointAtEnd();
                _fault.Set(new TargetLostException($"{problem} {SyncRun.BeginsAnew}"));
            }

            isSeen = problem is not null;
        }
    }

    private string? Problem() => ClockProblem() ?? _findMovedSlots();

    private string? ClockProblem()
    {
        var sources = _sources.Select(Ask).OfType<ServerClock>().ToList();
        foreach (var target in _targets)
        {
            if (sources.Count > 0 && Ask(target) is { } clock
                && sources.Max(clock.AheadOf) is > MostAheadMs and var ahead)
            {
                return $"The clock of the target {target.Name} is {Quantity.Duration(ahead * 1e6)} ahead of the "
                    + "source's: keys with a time to live end there so much earlier. Set the clocks.";
            }
        }

        return null;
    }

    // One that is away, or whose user may not ask, ends no run by this.
    private static ServerClock? Ask(ResolvedTarget server)
    {
        try
        {
            using var control = server.OpenControl();
            return ServerClock.Ask(control);
        }
        catch (RedisException)
        {
            return null;
        }
    }
}
