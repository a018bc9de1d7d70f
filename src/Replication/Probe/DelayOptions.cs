using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Replication.Probe;

/// <summary>Where keys are written and read, how many, how fast, and what is said about it.</summary>
internal sealed class DelayOptions : ILinkOptions, IApartOptions
{
    public TargetOptions Target { get; } = new();
    public IdentityOptions Identity { get; } = new();
    public OutputOptions Output { get; } = new();
    public string? Source { get; set; }
    public IReadOnlyList<string> Destinations { get; set; } = [];
    public string? Destination { get; set; }
    public string? SourceRegion { get; set; }
    public IReadOnlyList<string> DestinationRegions { get; set; } = [];
    public string? Control { get; set; }
    public string? Probe { get; set; }
    public string? Shards { get; set; }
    public bool NoClaims { get; set; }
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);
    public long? Keys { get; set; }
    public TimeSpan? Duration { get; set; }
    public double Rate { get; set; } = 1_000;
    public int Writers { get; set; } = 1;
    public long ValueSize { get; set; } = 128;
    public string Prefix { get; set; } = "redislatency:delay";
    public TimeSpan Expiry { get; set; } = TimeSpan.FromMinutes(1);
    public bool Publish { get; set; }
    public ReadingKind Reading { get; set; } = ReadingKind.Polling;
    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(5);
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);
    public bool EachKey { get; set; }
    public TimeSpan WatchInterval { get; set; } = TimeSpan.FromMilliseconds(200);
    public TimeSpan WaitInterval { get; set; } = TimeSpan.FromMilliseconds(500);
    public TimeSpan WarmUp { get; set; } = TimeSpan.FromMilliseconds(500);
    public TimeSpan LinkTimeout { get; set; } = TimeSpan.FromSeconds(10);
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);
}

/// <summary>What a writer or a reader whose other side is elsewhere is told, whatever it measures.</summary>
internal interface IApartOptions
{
    string Prefix { get; }
    TimeSpan LinkTimeout { get; }
    TimeSpan PeerTimeout { get; }
    string? Probe { get; }
    string? Shards { get; }
    bool Publish { get; }
    ReadingKind Reading { get; }
    bool NoClaims { get; }
}

/// <summary>What the two ends of a replication are looked at with, whatever is measured between them.</summary>
internal interface ILinkOptions
{
    string Prefix { get; }
    TimeSpan Expiry { get; }
    TimeSpan LinkTimeout { get; }
    TimeSpan WatchInterval { get; }
    TimeSpan WaitInterval { get; }
}
