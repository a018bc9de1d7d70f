using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

/// <summary>Tells how far turns have come, at most every ten seconds.</summary>
public sealed class TurnProgress(ILogger logger, int turns)
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly Stopwatch _since = Stopwatch.StartNew();
    private int _done;

    public void Report()
    {
        _done++;
        if (_since.Elapsed < Pause)
            return;
        _since.Restart();
        TurnLog.Progress(logger, _done, turns);
    }
}
