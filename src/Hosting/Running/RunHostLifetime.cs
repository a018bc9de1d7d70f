using Microsoft.Extensions.Hosting;

namespace RedisLatency.Hosting.Running;

/// <summary>In place of the host's console lifetime: that would stop it on a signal while the run drains.</summary>
internal sealed class RunHostLifetime(TerminationSignals signals) : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        signals.Register();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
