using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatOptions : ILinkOptions, IApartOptions
{
    public TargetOptions Target { get; } = new();
    public IdentityOptions Identity { get; } = new();
    public OutputOptions Output { get; } = new();
    public TelemetryOptions Telemetry { get; } = new();
    public string? Source { get; set; }
    public string? Destination { get; set; }
    public string? SourceRegion { get; set; }
    public string? DestinationRegion { get; set; }
    public string? Control { get; set; }
    public string? Probe { get; set; }
    public string? Shards { get; set; }
    public bool NoClaims { get; set; }
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    public bool Publish => false;

    public ReadingKind Reading => ReadingKind.Polling;

    public TimeSpan Interval { get; set; } = TimeSpan.FromMilliseconds(50);
    public TimeSpan? Duration { get; set; }
    public TimeSpan Window { get; set; } = TimeSpan.FromMinutes(1);
    public OnAlert OnAlert { get; set; } = OnAlert.Tell;
    public string Prefix { get; set; } = "redislatency:delay";
    public TimeSpan Expiry { get; set; } = TimeSpan.FromHours(1);
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);
    public TimeSpan WatchInterval { get; set; } = TimeSpan.FromSeconds(1);

    public TimeSpan WaitInterval => TimeSpan.Zero;

    public TimeSpan LinkTimeout { get; set; } = TimeSpan.FromSeconds(10);
    public TimeSpan? ReconnectTimeout { get; set; }
}
