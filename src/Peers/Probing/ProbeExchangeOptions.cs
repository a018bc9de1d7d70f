using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Probing;

/// <summary>Who is asked, and how often.</summary>
public sealed record ProbeExchangeOptions
{
    /// <summary>The number of the peer's run.</summary>
    public required ulong Run { get; init; }

    /// <summary>The peer: how it signs its echoes.</summary>
    public required ulong Answerer { get; init; }

    /// <summary>The run's key, as the peer handed it out.</summary>
    public required ProbeKey Key { get; init; }

    /// <summary>Pairs of probes per second over UDP.</summary>
    /// <value>The default is 25.</value>
    public double UdpPairsPerSecond { get; init; } = 25;

    /// <summary>Pairs of probes per second through Redis, where they cost the measured server something.</summary>
    /// <value>The default is 10.</value>
    public double RedisPairsPerSecond { get; init; } = 10;

    /// <summary>How long after the first probe of a pair the second one is sent.</summary>
    /// <value>The default is 75 µs.</value>
    public TimeSpan PairGap { get; init; } = TimeSpan.FromMicroseconds(75);

    /// <summary>How long an answer is waited for before its question is given up.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan AnswerLimit { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After so long without any answer the next lane is tried, where there is one.</summary>
    /// <value>The default is 3 s.</value>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How many answers wait to be fetched; a power of two.</summary>
    /// <value>The default is 8,192.</value>
    public int QueueLength { get; init; } = 8_192;
}
