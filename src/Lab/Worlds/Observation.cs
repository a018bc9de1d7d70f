using RedisLatency.Lab.Links;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Lab.Worlds;

/// <summary>What the suite reported of a world, beside what was planted in it.</summary>
internal sealed record Observation
{
    public required World World { get; init; }

    public required PlantedClocks Clocks { get; init; }

    public required RunRecord Record { get; init; }

    public required IReadOnlyList<OffsetWindow> Windows { get; init; }

    /// <summary>The stamps it kept; empty where nothing was echoed.</summary>
    public required IReadOnlyList<StampedMessage> Messages { get; init; }

    /// <summary>What the link between the producer and Redis really gave; null without one.</summary>
    public LinkTotals? Link { get; init; }

    /// <summary>What the link of the clock probes really gave; null without one.</summary>
    public LinkTotals? ProbeLink { get; init; }

    public RunSummary Summary => Record.Summaries[0];

    public OneWayPair Pair => Summary.OneWay[0];

    public OneWaySeries? Series(string name) => Pair.Series.FirstOrDefault(series => series.Name == name);
}
