using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Lab.Worlds;

/// <summary>
/// The clocks of a world as its processes are told of them, and as the truth computes them: both anchored at the same
/// moment of the host.
/// </summary>
internal sealed class PlantedSetting
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    /// <param name="world">The world.</param>
    /// <param name="hostNs">When the run begins, by the host's monotonic clock.</param>
    public PlantedSetting(World world, long hostNs)
    {
        var namespaceNs = world.NamespaceSeconds * NanosecondsPerSecond;
        ProducerText = Anchored(world.ProducerClock, hostNs);
        ConsumerText = Anchored(world.ConsumerClock, hostNs + namespaceNs);
        StartNs = hostNs;
        Clocks = new PlantedClocks(Parse(ProducerText), Parse(ConsumerText), namespaceNs);
    }

    /// <summary>When the run begins, by the host's monotonic clock.</summary>
    public long StartNs { get; }

    /// <summary>What the Producer's environment says; null for nothing.</summary>
    public string? ProducerText { get; }

    /// <summary>What the Consumer's environment says; null for nothing.</summary>
    public string? ConsumerText { get; }

    /// <summary>The truth.</summary>
    public PlantedClocks Clocks { get; }

    /// <summary>The environment of a process with such a clock.</summary>
    public static IReadOnlyDictionary<string, string> EnvironmentOf(string? text) => text is null
        ? new Dictionary<string, string>()
        : new Dictionary<string, string> { [SyntheticClock.Variable] = text };

    private static string? Anchored(string? text, long anchorNs) =>
        text is null ? null : string.Create(CultureInfo.InvariantCulture, $"{text},anchor={anchorNs}");

    private static SyntheticClock? Parse(string? text) => text is null ? null : SyntheticClock.Parse(text);
}
