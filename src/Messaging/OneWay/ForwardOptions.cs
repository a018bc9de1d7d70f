using RedisLatency.Messaging.Stamps;

namespace RedisLatency.Messaging.OneWay;

/// <summary>How a consumer makes its own forward series.</summary>
public sealed record ForwardOptions
{
    /// <summary>How many producers are served at the same time; the messages of more are counted alone.</summary>
    /// <value>The default is 16: each takes 5 MB, and 64 bytes a message that waits.</value>
    public int MostProducers { get; init; } = 16;

    /// <summary>How many messages of a producer wait in memory.</summary>
    public int MostPending { get; init; } = PendingStamps.DefaultMostInMemory / 4;

    /// <summary>
    /// The folder for what waits beyond that, as <c>one-way-PRODUCER.pending</c>; null where there is no place.
    /// </summary>
    public string? SpillFolder { get; init; }

    /// <summary>After so long without a word a producer is given up.</summary>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromMinutes(1);
}
