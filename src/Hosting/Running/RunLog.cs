using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

internal static partial class RunLog
{
    [LoggerMessage(EventId = 1, Level = LogLevel.Debug, Message = "Phase {Phase}.")]
    public static partial void PhaseBegan(ILogger logger, RunPhase phase);

    [LoggerMessage(EventId = 2, Level = LogLevel.Error, Message = "{Problem}")]
    public static partial void StepFailed(ILogger logger, string problem);

    [LoggerMessage(EventId = 3, Level = LogLevel.Debug, Message = "Where it failed:")]
    public static partial void StepFailedWhere(ILogger logger, Exception failure);

    [LoggerMessage(
        EventId = 4,
        Level = LogLevel.Warning,
        Message = "{Signal}: draining and reporting what there is; a second signal ends at once.")]
    public static partial void StopRequested(ILogger logger, string signal);

    [LoggerMessage(EventId = 5, Level = LogLevel.Warning, Message = "Stopped in {Phase}: nothing was measured.")]
    public static partial void NothingMeasured(ILogger logger, RunPhase phase);

    [LoggerMessage(EventId = 6, Level = LogLevel.Warning, Message = "{Text}")]
    public static partial void EventHappened(ILogger logger, string text);

    [LoggerMessage(EventId = 8, Level = LogLevel.Information, Message = "Warming up: {Length}.")]
    public static partial void WarmingUp(ILogger logger, string length);

    [LoggerMessage(EventId = 9, Level = LogLevel.Information, Message = "Warming up: {Seconds} s so far, of {Length}.")]
    public static partial void StillWarmingUp(ILogger logger, double seconds, string length);

    [LoggerMessage(EventId = 7, Level = LogLevel.Warning, Message = "{Fault} It ends with 4 at best.")]
    public static partial void ClockIsSynthetic(ILogger logger, string fault);
}
