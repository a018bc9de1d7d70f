namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>What happens in a simulated world.</summary>
internal sealed record WorldOptions
{
    public int Seed { get; init; }

    public double Seconds { get; init; } = 20;

    public double ProbesPerSecond { get; init; } = 50;

    public double SkewPpm { get; init; }

    /// <summary>How far the difference of the frequencies wanders, in all.</summary>
    public double WanderPpm { get; init; } = 0.1;

    public double ForwardNs { get; init; } = 20_000;

    public double BackNs { get; init; } = 20_000;

    /// <summary>The mean of what a queue adds, each way.</summary>
    public double QueueNs { get; init; } = 30_000;

    /// <summary>The share of messages that meet a queue a hundred times as long.</summary>
    public double HeavyShare { get; init; } = 0.02;

    public double LossShare { get; init; }

    public double DuplicateShare { get; init; }

    public double ReorderShare { get; init; }

    public double ResidenceNs { get; init; } = 10_000;

    /// <summary>Jumps of B: when, in seconds, and by how much.</summary>
    public IReadOnlyList<(double Seconds, double Ns)> Steps { get; init; } = [];

    /// <summary>Slews: which clock, from and to when in seconds, how fast in ppm.</summary>
    public IReadOnlyList<(bool OfConsumer, double From, double To, double Ppm)> Slews { get; init; } = [];

    /// <summary>Whether the hosts sample their rates every second.</summary>
    public bool SamplesRates { get; init; } = true;

    /// <summary>Probes of which B echoes garbage: their share.</summary>
    public double GarbageShare { get; init; }
}
