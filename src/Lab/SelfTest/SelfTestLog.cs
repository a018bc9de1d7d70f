using Microsoft.Extensions.Logging;

namespace RedisLatency.Lab.SelfTest;

internal static partial class SelfTestLog
{
    [LoggerMessage(EventId = 310, Level = LogLevel.Information, Message = "Row {Number} of {Count}, {Row}: {Title}.")]
    public static partial void RowBegan(ILogger logger, int number, int count, string row, string title);

    [LoggerMessage(EventId = 311, Level = LogLevel.Information, Message = "{Row}: {Verdict}.")]
    public static partial void RowEnded(ILogger logger, string row, string verdict);
}
