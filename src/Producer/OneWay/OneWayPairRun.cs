using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Producer.OneWay;

/// <summary>A consumer of a run, and where its results go.</summary>
internal sealed class OneWayPairRun(PairClock clock, int number, OneWayTags tags)
{
    public PairClock Clock { get; } = clock;

    public int Number { get; } = number;

    public OneWayTags Tags { get; } = tags;

    /// <summary>Consumers that do not name their clock are older, and can have no forward series.</summary>
    public bool CanTell { get; init; }

    /// <summary>The windows to tell it of, those that it was told last among them.</summary>
    public List<ToldWindow> Told { get; } = [];
}
