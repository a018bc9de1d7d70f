using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;

namespace RedisLatency.Consumer.Serving;

/// <summary>Whom the Consumer answers, how, and what it says about it.</summary>
internal sealed class ConsumerOptions
{
    public TargetOptions Target { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();

    public TelemetryOptions Telemetry { get; } = new();

    /// <summary>The channel that messages come on; null for the one that carries the run's name.</summary>
    public string? Channel { get; set; }

    /// <summary>The channel that echoes go out on; null for the one that carries the run's name.</summary>
    public string? ReplyChannel { get; set; }

    /// <summary>Parallel pairs of channels, each with a thread and connections of its own.</summary>
    public int Streams { get; set; } = 1;

    /// <summary>How long to serve; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long a lost connection is tried for; null for as long as the Consumer runs.</summary>
    public TimeSpan? ReconnectTimeout { get; set; }

    public ProbeChoice Probe { get; set; } = ProbeChoice.ThroughRedis;

    public bool BusyPoll { get; set; }

    /// <summary>The processor of the first stream's thread; the next ones take the next. Null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held while serving; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }
}
