using System.Net;
using Microsoft.Extensions.Logging;

namespace RedisLatency.Lab.Links;

internal static partial class LinkLog
{
    [LoggerMessage(EventId = 300, Level = LogLevel.Information, Message = "Linking {Protocol} {Entry} to {To}.")]
    public static partial void Linking(ILogger logger, string protocol, IPEndPoint entry, IPEndPoint to);

    [LoggerMessage(
        EventId = 301,
        Level = LogLevel.Warning,
        Message = "{Count} line(s) are missing in the truth log: the disk did not keep up.")]
    public static partial void Omitted(ILogger logger, long count);
}
