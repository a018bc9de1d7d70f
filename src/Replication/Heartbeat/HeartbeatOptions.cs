using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Windows;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>Between whom heartbeats go, how often, and who is told how they come.</summary>
internal sealed class HeartbeatOptions : ILinkOptions, IApartOptions
{
    /// <summary>How both servers are reached.</summary>
    public TargetOptions Target { get; } = new();

    /// <summary>Which run and process this is.</summary>
    public IdentityOptions Identity { get; } = new();

    /// <summary>What is printed and kept.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>Who else is told.</summary>
    public TelemetryOptions Telemetry { get; } = new();

    /// <summary>The server to write to; null for a pair in this process.</summary>
    public string? Source { get; set; }

    /// <summary>The server to read from; null for a pair in this process.</summary>
    public string? Destination { get; set; }

    /// <summary>The region of the source; null for its endpoint.</summary>
    public string? SourceRegion { get; set; }

    /// <summary>The region of the destination; null for its endpoint.</summary>
    public string? DestinationRegion { get; set; }

    /// <summary>
    /// A server that writer and reader both reach, for asking the clock; null for the source or none.
    /// </summary>
    public string? Control { get; set; }

    /// <inheritdoc/>
    public string? Probe { get; set; }

    /// <inheritdoc/>
    public string? Shards { get; set; }

    /// <inheritdoc/>
    public bool NoClaims { get; set; }

    /// <inheritdoc/>
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <inheritdoc/>
    /// <value>Never: a heartbeat is a key.</value>
    public bool Publish => false;

    /// <inheritdoc/>
    /// <value>By polling: it is one key.</value>
    public ReadingKind Reading => ReadingKind.Polling;

    /// <summary>From one heartbeat of a shard to the next; of a writer elsewhere what it says.</summary>
    /// <value>The default is 50 ms: a minute then has the thousand heartbeats that a 99th percentile takes.</value>
    public TimeSpan Interval { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>How long to go on; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long a window of figures is.</summary>
    /// <value>The default is one minute.</value>
    public TimeSpan Window { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>What an alert does besides being told.</summary>
    public OnAlert OnAlert { get; set; } = OnAlert.Tell;

    /// <inheritdoc/>
    public string Prefix { get; set; } = "redislatency:delay";

    /// <summary>How long a heartbeat lives at either end: longer than any delay that is to be seen.</summary>
    /// <value>The default is one hour.</value>
    public TimeSpan Expiry { get; set; } = TimeSpan.FromHours(1);

    /// <summary>From one look at the destination to the next, while a heartbeat is on its way.</summary>
    /// <value>The default is 200 µs.</value>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);

    /// <inheritdoc/>
    /// <value>The default is one second.</value>
    public TimeSpan WatchInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    /// <value>None: WAIT would be one more load for good.</value>
    public TimeSpan WaitInterval => TimeSpan.Zero;

    /// <inheritdoc/>
    /// <value>The default is 10 seconds.</value>
    public TimeSpan LinkTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a lost connection is tried for; null as long as it runs.</summary>
    public TimeSpan? ReconnectTimeout { get; set; }
}
