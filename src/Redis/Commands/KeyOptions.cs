namespace RedisLatency.Redis.Commands;

// Keys whose place words of the command say.
internal enum KeyOptions
{
    None,
    Sort,
    GeoRadius,
    Streams,
    Migrate,
}
