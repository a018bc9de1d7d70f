namespace RedisLatency.Producer;

internal enum EchoMode
{
    On,

    /// <summary>They do not, and measure the way to them alone.</summary>
    Off,
}
