namespace RedisLatency.Producer.Options;

/// <summary>Whether consumers send messages back.</summary>
internal enum EchoMode
{
    /// <summary>They do.</summary>
    On,

    /// <summary>They do not, and measure the way to them alone.</summary>
    Off,
}
