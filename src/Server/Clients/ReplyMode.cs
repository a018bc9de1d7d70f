namespace RedisLatency.Server.Clients;

internal enum ReplyMode
{
    On,

    Off,

    SkipNext,
}
