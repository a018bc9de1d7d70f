using Microsoft.Extensions.Logging;

namespace RedisLatency.Workloads;

internal static partial class WorkloadsLog
{
    [LoggerMessage(EventId = 255, Level = LogLevel.Information,
        Message = "No server named: measuring a server inside this process, the most that this tool can do. "
            + "Give HOST:PORT to measure a server.")]
    public static partial void NoServer(ILogger logger);

    [LoggerMessage(EventId = 254, Level = LogLevel.Information,
        Message = "Comparing {First} and {Other} in turns of random order, each: {What}.")]
    public static partial void Comparing(ILogger logger, string first, string other, string what);

    [LoggerMessage(EventId = 250, Level = LogLevel.Information, Message = "{Number} of {All}: {Phase}, {What}.")]
    public static partial void PhaseBegins(ILogger logger, int number, int all, string phase, string what);

    [LoggerMessage(EventId = 252, Level = LogLevel.Warning,
        Message = "{Count} connections to {Target} were lost; trying to restore them.")]
    public static partial void ConnectionsLost(ILogger logger, long count, string target);

    [LoggerMessage(EventId = 256, Level = LogLevel.Information, Message = "{Step}: {Outcome}.")]
    public static partial void StepJudged(ILogger logger, string step, string outcome);

    [LoggerMessage(EventId = 253, Level = LogLevel.Information, Message = "Pausing for {Seconds} s.")]
    public static partial void Pausing(ILogger logger, double seconds);
}
