using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Reports.Output;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// A target expires keys by its own clock: where that is ahead of the source's, it does so before the source, and later
/// commands find no key. So the run ends.
/// </summary>
internal sealed class ClockWatch : IDisposable
{
    private const long MostAheadMs = 1000;
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan LongestEnd = TimeSpan.FromSeconds(1);

    private readonly List<ResolvedTarget> _sources;
    private readonly List<ResolvedTarget> _targets;
    private readonly SyncFault _fault;
    private readonly ManualResetEventSlim _isOver = new();
    private readonly Thread _thread;

    /// <exception cref="RunRefusedException">It is so already.</exception>
    public ClockWatch(TargetServer source, TargetServer target, SyncFault fault)
    {
        (_sources, _targets, _fault) = (source.FindPrimaries(), target.FindPrimaries(), fault);
        if (Problem() is { } problem)
            throw new RunRefusedException(problem);
        _thread = new Thread(Run) { IsBackground = true, Name = "clocks" };
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
        while (!_isOver.Wait(BetweenChecks))
        {
            if (Problem() is { } problem)
                _fault.Set(new TargetLostException($"{problem} {SyncRun.BeginsAnew}"));
        }
    }

    private string? Problem()
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
