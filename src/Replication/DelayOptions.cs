using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;

namespace RedisLatency.Replication;

/// <summary>Options of both sides; <see cref="DelayPlan"/> settles defaults that differ with --continuous.</summary>
internal sealed class DelayOptions
{
    public TargetOptions Target { get; } = new();
    public IdentityOptions Identity { get; } = new();
    public OutputOptions Output { get; } = new();
    public ContinuousOptions Continuous { get; } = new();

    // Set by the verb: one line is printed, and nothing is kept.
    public bool IsCheck { get; set; }

    // No source and no destination: a pair in this process.
    public string? Source { get; set; }
    public IReadOnlyList<string> Destinations { get; set; } = [];
    public string? SourceRegion { get; set; }
    public IReadOnlyList<string> DestinationRegions { get; set; } = [];

    public string? Control { get; set; }
    public string? Probe { get; set; }
    public int? Shards { get; set; }
    public bool NoClaims { get; set; }
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    public long? Keys { get; set; }
    public TimeSpan? Duration { get; set; }
    public double Rate { get; set; } = 1_000;
    public int Writers { get; set; } = 1;
    public long ValueSize { get; set; } = 128;
    public string Prefix { get; set; } = "redislatency:delay";
    public TimeSpan Expiry { get; set; } = TimeSpan.FromMinutes(1);

    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(5);
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);
    public bool EachKey { get; set; }

    public TimeSpan WatchInterval { get; set; } = TimeSpan.FromMilliseconds(200);
    public TimeSpan WaitInterval { get; set; } = TimeSpan.FromMilliseconds(500);
    public TimeSpan WarmUp { get; set; } = TimeSpan.FromMilliseconds(500);
    public TimeSpan LinkTimeout { get; set; } = TimeSpan.FromSeconds(10);
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);
}

internal sealed class ContinuousOptions
{
    public bool IsWanted { get; set; }

    // A minute then has the thousand heartbeats that a 99th percentile takes.
    public TimeSpan Interval { get; set; } = TimeSpan.FromMilliseconds(50);
    public TimeSpan Window { get; set; } = TimeSpan.FromMinutes(1);
    public OnAlert OnAlert { get; set; } = OnAlert.Report;
    public TelemetryOptions Telemetry { get; } = new();
}
