namespace RedisLatency.Producer.Options;

/// <summary>What carries clock probes beside the messages.</summary>
internal enum ProbeMode
{
    /// <summary>Redis, where the consumer answers there and the two are not known to share a clock.</summary>
    Auto,

    /// <summary>Nothing: echoed messages are the only probes.</summary>
    Off,

    /// <summary>Redis, wherever the consumer answers there.</summary>
    Redis,

    /// <summary>UDP, directly from host to host; Redis where nothing answers there.</summary>
    Udp,
}
