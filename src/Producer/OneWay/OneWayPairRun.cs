using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Producer.OneWay;

/// <summary>A consumer of a run, and where its results go.</summary>
/// <param name="clock">Its clock, and what its messages took.</param>
/// <param name="number">Its number in <c>clock.ndjson</c>.</param>
/// <param name="tags">What its series are called.</param>
internal sealed class OneWayPairRun(PairClock clock, int number, OneWayTags tags)
{
    public PairClock Clock { get; } = clock;

    public int Number { get; } = number;

    public OneWayTags Tags { get; } = tags;

    /// <summary>
    /// Whether it may have a forward series of its own: those that do not name their clock are older.
    /// </summary>
    public bool CanTell { get; init; }

    /// <summary>The windows to tell it of, those that it was told last among them.</summary>
    public List<ToldWindow> Told { get; } = [];
}
