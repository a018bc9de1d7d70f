using Microsoft.Extensions.Logging;

namespace RedisLatency.Sync;

internal static partial class SyncLog
{
    [LoggerMessage(EventId = 450, Level = LogLevel.Warning, Message = "{Text}")]
    public static partial void FunctionSaid(ILogger logger, string text);
}
