using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Output;

/// <summary>Plain lines on standard error, on the logging thread: no queue holds any when the process ends.</summary>
internal sealed class DiagnosticsLogger(Diagnostics diagnostics) : ILogger, ILoggerProvider
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        var message = formatter(state, exception);
        diagnostics.WriteLine($"{Prefix(logLevel)}{message}");
        if (exception is not null)
        {
            foreach (var line in exception.ToString().EnumerateLines())
                diagnostics.WriteLine(line);
        }
    }

    public void Dispose()
    {
    }

    private static string Prefix(LogLevel level) => level switch
    {
        LogLevel.Critical or LogLevel.Error => "error: ",
        LogLevel.Warning => "warning: ",
        LogLevel.Debug or LogLevel.Trace => "debug: ",
        _ => string.Empty,
    };
}
