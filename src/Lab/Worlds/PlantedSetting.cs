using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Lab.Worlds;

/// <summary>A world's clocks as its processes are told and as the truth computes them, with one anchor.</summary>
internal sealed class PlantedSetting
{
    private const long NanosecondsPerSecond = 1_000_000_000;

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

    public string? ConsumerText { get; }

    public PlantedClocks Clocks { get; }

    public static IReadOnlyDictionary<string, string> EnvironmentOf(string? text) => text is null
        ? new Dictionary<string, string>()
        : new Dictionary<string, string> { [SyntheticClock.Variable] = text };

    private static string? Anchored(string? text, long anchorNs) =>
        text is null ? null : string.Create(CultureInfo.InvariantCulture, $"{text},anchor={anchorNs}");

    private static SyntheticClock? Parse(string? text) => text is null ? null : SyntheticClock.Parse(text);
}
