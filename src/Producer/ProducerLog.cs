using Microsoft.Extensions.Logging;

namespace RedisLatency.Producer;

internal static partial class ProducerLog
{
    [LoggerMessage(EventId = 100, Level = LogLevel.Warning, Message = "{Line}")]
    public static partial void NoConsumerYet(ILogger logger, string line);

    [LoggerMessage(EventId = 109, Level = LogLevel.Information,
        Message = "No server named: measuring this tool's own floor, with a server and a consumer inside this "
            + "process. Give HOST:PORT to measure a server.")]
    public static partial void NoServer(ILogger logger);

    [LoggerMessage(EventId = 103, Level = LogLevel.Information, Message = "Consumer {Consumer} answers at {Target}.")]
    public static partial void ConsumerAnswers(ILogger logger, string consumer, string target);

    [LoggerMessage(EventId = 108, Level = LogLevel.Information,
        Message = "Comparing {First} and {Other} in {Turns} turns each, in random order.")]
    public static partial void Comparing(ILogger logger, string first, string other, int turns);

    [LoggerMessage(EventId = 106, Level = LogLevel.Error, Message = "One-way latency through {Target} failed.")]
    public static partial void OneWayFailed(ILogger logger, string target, Exception failure);

    [LoggerMessage(EventId = 107, Level = LogLevel.Warning, Message = "{Line}")]
    public static partial void ConsumersOfOneName(ILogger logger, string line);

    [LoggerMessage(EventId = 105, Level = LogLevel.Warning,
        Message = "The connection to {Target} was lost; trying to restore it.")]
    public static partial void ConnectionLost(ILogger logger, string target);
}
