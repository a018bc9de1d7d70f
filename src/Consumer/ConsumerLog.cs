using Microsoft.Extensions.Logging;

namespace RedisLatency.Consumer;

internal static partial class ConsumerLog
{
    [LoggerMessage(
        EventId = 200,
        Level = LogLevel.Information,
        Message = "Serving {Channel} at {Endpoint}, answering on {ReplyChannel}: run {Run}, {Streams} stream(s), "
            + "{End}.")]
    public static partial void Serving(
        ILogger logger, string channel, string endpoint, string replyChannel, string run, int streams, string end);

    [LoggerMessage(EventId = 203, Level = LogLevel.Warning, Message = "It is not known {What}.")]
    public static partial void RightNotKnown(ILogger logger, string what);

    [LoggerMessage(EventId = 204, Level = LogLevel.Warning, Message = "{What}")]
    public static partial void Happened(ILogger logger, string what);

    [LoggerMessage(EventId = 205, Level = LogLevel.Information, Message = "Answering clock probes {Places}.")]
    public static partial void AnsweringProbes(ILogger logger, string places);

    [LoggerMessage(
        EventId = 206,
        Level = LogLevel.Warning,
        Message = "Clock probes cannot be answered through Redis: {Complaint}.")]
    public static partial void NoProbesThroughRedis(ILogger logger, string complaint);
}
