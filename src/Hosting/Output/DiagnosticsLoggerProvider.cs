using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Output;

/// <summary>Plain lines on standard error, on the logging thread: no queue holds any when the process ends.</summary>
internal sealed class DiagnosticsLoggerProvider(Diagnostics diagnostics) : ILoggerProvider
{
    public ILogger CreateLogger(string categoryName) => new DiagnosticsLogger(diagnostics);

    public void Dispose()
    {
    }
}
