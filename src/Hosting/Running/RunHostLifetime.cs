using Microsoft.Extensions.Hosting;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Takes the place of the host's console lifetime, which would stop the host on a signal while the run still drains.
/// </summary>
internal sealed class RunHostLifetime(TerminationSignals signals) : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        signals.Register();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
