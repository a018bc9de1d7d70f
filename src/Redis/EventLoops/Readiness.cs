namespace RedisLatency.Redis.EventLoops;

/// <summary>What a socket is asked for, or has been found ready for.</summary>
[Flags]
public enum Readiness
{
    /// <summary>Nothing: the socket stays registered and silent.</summary>
    None = 0,

    /// <summary>Bytes, a connection or the end of the stream can be read.</summary>
    Readable = 1,

    /// <summary>Bytes can be written.</summary>
    Writable = 2,

    /// <summary>
    /// Only asked for: report a change once, not for as long as it lasts. The owner then reads and writes until the
    /// socket would block. <see cref="SelectPoller"/> reports for as long as it lasts all the same.
    /// </summary>
    EdgeTriggered = 4,

    /// <summary>Only found: the connection failed or both ends are closed; a read says which.</summary>
    Failed = 8,

    /// <summary>
    /// Only found, and only by epoll: the other side has closed, and what it sent before may still be unread.
    /// </summary>
    Closing = 16,
}
