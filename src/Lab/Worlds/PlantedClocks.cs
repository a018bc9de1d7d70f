using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Lab.Worlds;

// What the two clocks of a world really read: the host's, shifted by a time namespace, and made wrong by a synthetic
// clock (null for none), the consumer's being a function of what its namespace reads. The producer's never steps back,
// so that each of its readings is one moment.
internal sealed class PlantedClocks(SyntheticClock? producer, SyntheticClock? consumer, long namespaceNs)
{
    public static PlantedClocks None { get; } = new(null, null, 0);

    /// <summary>θ when the producer's clock reads that: the consumer's reading then, less the producer's.</summary>
    public long OffsetAt(long producerNs) => ConsumerAt(HostOfProducer(producerNs)) - producerNs;

    /// <summary>What the producer's clock read when the consumer's read that.</summary>
    public long ProducerAtConsumer(long consumerNs)
    {
        var hostNs = (consumer?.ToHost(consumerNs) ?? consumerNs) - namespaceNs;
        return ProducerAt(hostNs);
    }

    public double SkewPpm(long fromNs, long untilNs) =>
        (OffsetAt(untilNs) - OffsetAt(fromNs)) * 1e6 / (untilNs - fromNs);

    /// <summary>Whether the producer's clock ever reads that: what it skips is no moment.</summary>
    public bool IsRead(long producerNs) =>
        producer is null || producer.FromHost(producer.ToHost(producerNs)) == producerNs;

    /// <summary>Whether a clock jumps, begins to stand or goes on between two of the producer's moments.</summary>
    public bool BreaksBetween(long fromNs, long untilNs) => BreaksNs.Any(at => at >= fromNs && at <= untilNs);

    /// <summary>When a clock jumps, begins to stand or goes on, on the producer's clock.</summary>
    public IReadOnlyList<long> BreaksNs { get; } =
    [
        .. (producer?.BreaksHostNs ?? [])
            .Concat((consumer?.BreaksHostNs ?? []).Select(consumerHostNs => consumerHostNs - namespaceNs))
            .Order().Select(hostNs => producer?.FromHost(hostNs) ?? hostNs).Distinct(),
    ];

    public long ProducerAt(long hostNs) => producer?.FromHost(hostNs) ?? hostNs;

    private long HostOfProducer(long producerNs) => producer?.ToHost(producerNs) ?? producerNs;

    private long ConsumerAt(long hostNs) => consumer?.FromHost(hostNs + namespaceNs) ?? hostNs + namespaceNs;
}

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
