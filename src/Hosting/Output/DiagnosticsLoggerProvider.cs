using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Output;

/// <summary>
/// Log messages as plain lines on standard error: <c>warning: …</c>. Written on the logging thread, so that nothing
/// is left in a queue when the process ends.
/// </summary>
internal sealed class DiagnosticsLoggerProvider(Diagnostics diagnostics) : ILoggerProvider
{
    public ILogger CreateLogger(string categoryName) => new DiagnosticsLogger(diagnostics);

    public void Dispose()
    {
    }
}
