using Microsoft.Extensions.Logging;

namespace RedisLatency.Replication;

internal static partial class ReplicationLog
{
    [LoggerMessage(EventId = 400, Level = LogLevel.Information,
        Message = "{Destination} has what was written to {Source}: the first key took {Delay}.")]
    public static partial void LinkIsThere(ILogger logger, string destination, string source, string delay);

    [LoggerMessage(EventId = 401, Level = LogLevel.Information,
        Message = "No --source and --destination given: measuring two servers inside this process, joined by a link of "
            + "{Milliseconds} ms. Give both to measure a replication.")]
    public static partial void NoServers(ILogger logger, double milliseconds);

    [LoggerMessage(EventId = 405, Level = LogLevel.Information,
        Message = "Waiting for a reader of run {Run}: start delay read near the destination.")]
    public static partial void WaitingForReader(ILogger logger, string run);

    [LoggerMessage(EventId = 406, Level = LogLevel.Information,
        Message = "Waiting at {Address} for a writer of run {Run}: start {Command} at its source.")]
    public static partial void WaitingForWriter(ILogger logger, string address, string run, string command);

    [LoggerMessage(EventId = 407, Level = LogLevel.Information,
        Message = "The writer of {Source} announced itself; comparing clocks with it.")]
    public static partial void WriterIsThere(ILogger logger, string source);

    [LoggerMessage(EventId = 412, Level = LogLevel.Information,
        Message = "All keys are written; waiting for the reader to finish.")]
    public static partial void WaitingForReaderToEnd(ILogger logger);

    [LoggerMessage(EventId = 413, Level = LogLevel.Information,
        Message = "Delays shown until then are provisional; the result corrects them.")]
    public static partial void DelaysAreProvisional(ILogger logger);

    [LoggerMessage(EventId = 408, Level = LogLevel.Warning, Message = "{Time} {Kind}: {Text}")]
    public static partial void Alert(ILogger logger, string time, string kind, string text);

    [LoggerMessage(EventId = 409, Level = LogLevel.Warning, Message = "{Time} {Text}")]
    public static partial void HappenedAt(ILogger logger, string time, string text);

    [LoggerMessage(EventId = 410, Level = LogLevel.Information,
        Message = "Heartbeats from {Source} to {Destination} every {Interval}, {Keys}, {End}.")]
    public static partial void Beating(
        ILogger logger, string source, string destination, string interval, string keys, string end);

    [LoggerMessage(EventId = 414, Level = LogLevel.Information,
        Message = "Heartbeats of run {Run} are announced at {Source}; readers may come and go.")]
    public static partial void Announced(ILogger logger, string run, string source);
}
