using Microsoft.Extensions.Logging;

namespace RedisLatency.Producer;

/// <summary>What the Producer says beside its results.</summary>
internal static partial class ProducerLog
{
    [LoggerMessage(EventId = 100, Level = LogLevel.Warning, Message = "{Line}")]
    public static partial void NoConsumerYet(ILogger logger, string line);

    [LoggerMessage(EventId = 101, Level = LogLevel.Warning, Message = "Results are not saved: {Reason}")]
    public static partial void ResultsNotSaved(ILogger logger, string reason);

    [LoggerMessage(EventId = 102, Level = LogLevel.Warning, Message = "Stopped in {Phase}: nothing was measured.")]
    public static partial void NothingMeasured(ILogger logger, string phase);
}
