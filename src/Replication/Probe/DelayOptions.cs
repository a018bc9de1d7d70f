using RedisLatency.Hosting.RunOptions;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>Where keys are written and read, how many, how fast, and what is said about it.</summary>
internal sealed class DelayOptions : ILinkOptions, IApartOptions
{
    /// <summary>How both servers are reached.</summary>
    public TargetOptions Target { get; } = new();

    /// <summary>Which run and process this is.</summary>
    public IdentityOptions Identity { get; } = new();

    /// <summary>What is printed and kept.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>The server to write to; null for a pair in this process.</summary>
    public string? Source { get; set; }

    /// <summary>The servers to read from; none for a pair in this process.</summary>
    public IReadOnlyList<string> Destinations { get; set; } = [];

    /// <summary>The server to read from where another process writes.</summary>
    public string? Destination { get; set; }

    /// <summary>The region of the source, for a table of regions; null for its endpoint.</summary>
    public string? SourceRegion { get; set; }

    /// <summary>The regions of the destinations, in their order; none for their endpoints.</summary>
    public IReadOnlyList<string> DestinationRegions { get; set; } = [];

    /// <summary>
    /// A server that writer and reader both reach, for asking the clock; null for the source or none.
    /// </summary>
    public string? Control { get; set; }

    /// <summary>Where the writer's clock is asked over UDP; null for nowhere, or for what the writer offers.</summary>
    public string? Probe { get; set; }

    /// <summary>Into how many ranges of slots a writer spreads its keys; null for the shards of its source.</summary>
    public string? Shards { get; set; }

    /// <summary>Whether it does not count that both processes say that they read one clock.</summary>
    public bool NoClaims { get; set; }

    /// <summary>How long writer and reader wait for each other.</summary>
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How many keys to write; null to write for a time.</summary>
    public long? Keys { get; set; }

    /// <summary>How long to write; null where keys are counted.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>Keys per second, over all writers.</summary>
    /// <value>The default is 1,000.</value>
    public double Rate { get; set; } = 1_000;

    /// <summary>Connections that write, each with its own thread.</summary>
    public int Writers { get; set; } = 1;

    /// <summary>The length of values in bytes.</summary>
    /// <value>The default is 128.</value>
    public long ValueSize { get; set; } = 128;

    /// <summary>What keys begin with.</summary>
    public string Prefix { get; set; } = "redislatency:delay";

    /// <summary>How long keys live.</summary>
    /// <value>The default is one minute.</value>
    public TimeSpan Expiry { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>Whether a writer publishes messages in place of keys.</summary>
    public bool Publish { get; set; }

    /// <summary>How it is known that a key is at the destination.</summary>
    public ReadingKind Reading { get; set; } = ReadingKind.Polling;

    /// <summary>How long a key is looked for.</summary>
    /// <value>The default is 5 seconds.</value>
    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The time from one look at the destination to the next; zero looks again at once.</summary>
    /// <value>The default is 200 µs.</value>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);

    /// <summary>Whether every key is written to a file, with its stamps.</summary>
    public bool EachKey { get; set; }

    /// <summary>From one look at the state of both ends to the next; zero never looks.</summary>
    /// <value>The default is a fifth of a second.</value>
    public TimeSpan WatchInterval { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>From one WAIT to the next; zero for none.</summary>
    /// <value>The default is half a second.</value>
    public TimeSpan WaitInterval { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long to write and read before it counts.</summary>
    /// <value>The default is half a second.</value>
    public TimeSpan WarmUp { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long the first key may take before the two are taken for not linked.</summary>
    public TimeSpan LinkTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a lost connection is tried for.</summary>
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);
}
