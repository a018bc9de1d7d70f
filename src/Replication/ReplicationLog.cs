using Microsoft.Extensions.Logging;

namespace RedisLatency.Replication;

/// <summary>What the service says beside its results.</summary>
internal static partial class ReplicationLog
{
    [LoggerMessage(EventId = 400, Level = LogLevel.Information,
        Message = "{Destination} has what was written to {Source}: the first key took {Delay}.")]
    public static partial void LinkIsThere(ILogger logger, string destination, string source, string delay);

    [LoggerMessage(EventId = 401, Level = LogLevel.Warning, Message = "Stopped in {Phase}: nothing was measured.")]
    public static partial void NothingMeasured(ILogger logger, string phase);

    [LoggerMessage(EventId = 402, Level = LogLevel.Warning, Message = "{Text}")]
    public static partial void Happened(ILogger logger, string text);

    [LoggerMessage(EventId = 403, Level = LogLevel.Information, Message = "Warming up.")]
    public static partial void WarmingUp(ILogger logger);

    [LoggerMessage(EventId = 405, Level = LogLevel.Information,
        Message = "Waiting for a reader of run {Run} to ask for this clock's time.")]
    public static partial void WaitingForReader(ILogger logger, string run);

    [LoggerMessage(EventId = 406, Level = LogLevel.Information,
        Message = "Waiting for a writer of run {Run} to announce itself at {Address}.")]
    public static partial void WaitingForWriter(ILogger logger, string run, string address);

    [LoggerMessage(EventId = 407, Level = LogLevel.Information,
        Message = "The writer of {Source} announced itself; asking for its time.")]
    public static partial void WriterIsThere(ILogger logger, string source);

    [LoggerMessage(EventId = 404, Level = LogLevel.Information,
        Message = "Waiting for keys at {Address}; start the side that sets them.")]
    public static partial void WaitingForKeys(ILogger logger, string address);
}
