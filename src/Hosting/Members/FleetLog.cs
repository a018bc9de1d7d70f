using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Members;

internal static partial class FleetLog
{
    [LoggerMessage(
        EventId = 50,
        Level = LogLevel.Information,
        Message = "This is {Member} of run {Run}; they meet at {Control}.")]
    public static partial void Joined(ILogger logger, string member, string run, string control);

    [LoggerMessage(EventId = 51, Level = LogLevel.Information, Message = "All {Count} members are there.")]
    public static partial void Met(ILogger logger, int count);

    [LoggerMessage(
        EventId = 52,
        Level = LogLevel.Information,
        Message = "Results are at {Control}, too: report merge --control {Control} --run {Run} makes the one run of "
            + "them.")]
    public static partial void Sent(ILogger logger, string control, string run);

    [LoggerMessage(
        EventId = 53,
        Level = LogLevel.Warning,
        Message = "Results could not be sent to the control Redis; merge {Folder} itself: {Reason}")]
    public static partial void NotSent(ILogger logger, string folder, string reason);

    [LoggerMessage(
        EventId = 54,
        Level = LogLevel.Warning,
        Message = "Who watches the run misses some of what is measured here; the run itself does not: {Reason}")]
    public static partial void NotStreamed(ILogger logger, string reason);
}
