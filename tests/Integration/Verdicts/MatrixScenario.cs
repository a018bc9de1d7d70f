using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Verdicts;

/// <summary>Those who take part in a row of the matrix, as processes of their own; ended with the test.</summary>
internal abstract class MatrixScenario : IAsyncDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(600);

    private readonly List<IAsyncDisposable> _started = [];

    /// <summary>The scenario of a row.</summary>
    public static MatrixScenario Named(string name) => name switch
    {
        PairScenario.ClosedLoop => new PairScenario(name, "0"),
        PairScenario.OpenLoop => new PairScenario(name, "1000"),
        WorkloadScenario.ClosedLoop or WorkloadScenario.OnCluster => new WorkloadScenario(name, "0"),
        WorkloadScenario.OpenLoop => new WorkloadScenario(name, "1000"),
        DelayScenario.FromSource or DelayScenario.ToDestination or DelayScenario.Apart
            or DelayScenario.ApartDestination or DelayScenario.Heartbeats or DelayScenario.HeartbeatSource =>
            new DelayScenario(name),
        _ => throw new ArgumentException($"{name}: no such scenario", nameof(name)),
    };

    /// <summary>The server that is killed or stands still; null where a scripted one stands in for it.</summary>
    protected RedisServerProcess? Target { get; set; }

    /// <summary>Who measures, by role.</summary>
    protected Dictionary<string, ServiceProcess> Services { get; } = [];

    /// <summary>Starts all; those who measure have measured for an interval when this returns.</summary>
    /// <param name="fault">What will happen: losses are scripted before.</param>
    public abstract Task Start(MatrixFault fault);

    /// <summary>Lets it happen.</summary>
    public virtual async Task Happen(MatrixFault fault)
    {
        switch (fault)
        {
            case MatrixFault.TargetKilled:
                await Target!.Kill();
                break;
            case MatrixFault.TargetHung:
                Target!.Pause();
                break;
            case MatrixFault.MachinePaused:
                foreach (var service in Services.Values)
                    service.Signal("STOP");
                await Task.Delay(Pause, TestContext.Current.CancellationToken);
                foreach (var service in Services.Values)
                    service.Signal("CONT");
                break;
        }
    }

    /// <summary>Waits for the end of all, in an order that lets each end by itself.</summary>
    /// <returns>The processes, by role.</returns>
    public abstract Task<IReadOnlyDictionary<string, ServiceProcess>> End();

    public async ValueTask DisposeAsync()
    {
        for (var i = _started.Count - 1; i >= 0; i--)
            await _started[i].DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>A threshold that what was waited for in vain misses, although it has no value.</summary>
    protected static string[] MaxWhereGone(string series, MatrixFault fault) =>
        fault is MatrixFault.TargetKilled or MatrixFault.TargetHung ? ["--threshold", $"{series}.max<400ms"] : [];

    protected async Task<RedisServerProcess> StartServer() => Own(await RedisServerProcess.Start());

    protected T Own<T>(T started)
        where T : IAsyncDisposable
    {
        _started.Add(started);
        return started;
    }
}
