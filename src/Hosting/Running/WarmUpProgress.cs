namespace RedisLatency.Hosting.Running;

/// <summary>Tells that a run warms up, and every few seconds how far it is: nothing else is shown meanwhile.</summary>
public sealed class WarmUpProgress : IDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(3);

    private readonly ITimer _timer;

    /// <summary>Tells the first.</summary>
    /// <param name="run">The run.</param>
    /// <param name="length">How long it takes: <c>about 10 s</c>, <c>200 messages</c>.</param>
    public WarmUpProgress(RunContext run, string length)
    {
        ArgumentNullException.ThrowIfNull(run);
        RunLog.WarmingUp(run.Logger, length);
        var start = run.Time.GetTimestamp();
        _timer = run.Time.CreateTimer(_ => Report(), null, Pause, Pause);

        void Report()
        {
            var seconds = Math.Round(run.Time.GetElapsedTime(start).TotalSeconds);
            RunLog.StillWarmingUp(run.Logger, seconds, length);
        }
    }

    public void Dispose() => _timer.Dispose();
}
