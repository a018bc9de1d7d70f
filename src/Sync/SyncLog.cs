using Microsoft.Extensions.Logging;

namespace RedisLatency.Sync;

internal static partial class SyncLog
{
    [LoggerMessage(EventId = 450, Level = LogLevel.Warning, Message = "{Text}")]
    public static partial void FunctionSaid(ILogger logger, string text);

    [LoggerMessage(EventId = 452, Level = LogLevel.Warning, Message = "{Text}")]
    public static partial void TargetIsOlder(ILogger logger, string text);

    [LoggerMessage(EventId = 451, Level = LogLevel.Information, Message = "{Source}: {Stage}.")]
    public static partial void Stage(ILogger logger, string source, string stage);
}
