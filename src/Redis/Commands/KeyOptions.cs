namespace RedisLatency.Redis.Commands;

// Which commands have keys that other words of theirs point to, as STREAMS does in XREAD.
internal enum KeyOptions
{
    None,
    Sort,
    GeoRadius,
    Streams,
    Migrate,
}
