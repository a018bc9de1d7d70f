using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Figures;

/// <summary>What one phase of a workload did, beside its latencies.</summary>
public sealed record WorkloadResult
{
    /// <summary>load or run.</summary>
    public required string Verb { get; init; }

    /// <summary>
    /// Which of several things that a scenario measures the phase belongs to: an instance, a value size.
    /// </summary>
    public string? Group { get; init; }

    /// <summary>The phase's name within its group.</summary>
    public required string Phase { get; init; }

    /// <summary>What precedes its series in the interval log; empty where it is the only phase.</summary>
    public string Tag { get; init; } = string.Empty;

    /// <summary>
    /// Whether it is here for comparison only: the in-process server, which says what the tool can do.
    /// </summary>
    public bool IsFloor { get; init; }

    /// <summary>The options that make the phase, as they would be typed.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = new Dictionary<string, string>();

    /// <summary>What became of each operation.</summary>
    public IReadOnlyList<OperationResult> Operations { get; init; } = [];

    /// <summary>What drove them; null where another tool did and does not say.</summary>
    public EngineFacts? Engine { get; init; }

    /// <summary>How many servers were asked what they counted, and what they hold: all that were sent to.</summary>
    public int ServersAsked { get; init; }

    /// <summary>What the servers counted meanwhile, for each command.</summary>
    public IReadOnlyList<ServerCommandUse> ServerCommands { get; init; } = [];

    /// <summary>How many keys the servers had before; null where one did not tell.</summary>
    public long? KeysBefore { get; init; }

    /// <summary>How many keys the servers had after.</summary>
    public long? KeysAfter { get; init; }

    /// <summary>What limited the throughput, in a sentence; null where nothing can be said.</summary>
    public string? Limit { get; init; }

    /// <summary>What others published for the same configuration.</summary>
    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];
}

/// <summary>What somebody published for a phase. What is not published is null.</summary>
public sealed record PublishedFigure
{
    /// <summary>What it is for, where one phase has several.</summary>
    public string? Category { get; init; }

    /// <summary>The operation that latencies are of; null for all.</summary>
    public string? Operation { get; init; }

    /// <summary>Operations per second, of all operations.</summary>
    public double? Qps { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The average latency in microseconds.</summary>
    public double? AverageUs { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The 99th percentile in microseconds.</summary>
    public double? P99Us { get; init => field = FiniteNumber.OrNull(value); }
}

/// <summary>
/// What became of one operation of a mix: sent = completed + errors + timed out + lost, once nothing is in flight.
/// </summary>
public sealed record OperationResult
{
    /// <summary>The name of its series.</summary>
    public required string Name { get; init; }

    /// <summary>The command, with placeholders.</summary>
    public required string Command { get; init; }

    /// <summary>Sent; one that was sent again counts once.</summary>
    public long Sent { get; init; }

    /// <summary>Replied to, not by an error.</summary>
    public long Completed { get; init; }

    /// <summary>Values that were read and there; null where another tool does not say, as the next ones.</summary>
    public long? Hits { get; init; }

    /// <summary>Values that were read and not there.</summary>
    public long? Misses { get; init; }

    /// <summary>Ended by an error reply.</summary>
    public long? Errors { get; init; }

    /// <summary>Had no reply in time.</summary>
    public long? TimedOut { get; init; }

    /// <summary>In flight on a connection that was lost; the server may have executed them.</summary>
    public long? Lost { get; init; }

    /// <summary>Times that one was sent again after an error.</summary>
    public long? Retried { get; init; }

    /// <summary>Values that were read and that nobody here had written.</summary>
    public long? Mismatched { get; init; }

    /// <summary>Times that one was sent again because the server named another node.</summary>
    public long? Redirected { get; init; }

    /// <summary>Bytes of its requests; null where a client library does not tell, as the next one.</summary>
    public long? BytesSent { get; init; }

    /// <summary>Bytes of its replies.</summary>
    public long? BytesReceived { get; init; }

    /// <summary>Error replies by their first word, also of those that were sent again.</summary>
    public IReadOnlyDictionary<string, long> ErrorReplies { get; init; } = new Dictionary<string, long>();

    /// <summary>The first of these as it came, for each first word.</summary>
    public IReadOnlyDictionary<string, string> ErrorExamples { get; init; } = new Dictionary<string, string>();

    /// <summary>How many wait for their reply.</summary>
    [JsonIgnore]
    public long InFlight => Sent - Completed - (Errors ?? 0) - (TimedOut ?? 0) - (Lost ?? 0);
}

/// <summary>
/// What the servers counted of one command during a phase, all together: INFO commandstats and LATENCY HISTOGRAM.
/// </summary>
public sealed record ServerCommandUse
{
    /// <summary>The command.</summary>
    public required string Command { get; init; }

    /// <summary>Times that it was executed.</summary>
    public required long Calls { get; init; }

    /// <summary>Times that it was refused before it was executed; null before Redis 6.2.</summary>
    public long? Rejected { get; init; }

    /// <summary>Times that it failed when executed; null before Redis 6.2.</summary>
    public long? Failed { get; init; }

    /// <summary>Microseconds of the server's time for each call.</summary>
    public double? MeanMicroseconds { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Half of the calls took at most so many microseconds, a power of two; null before Redis 7.</summary>
    public long? P50Microseconds { get; init; }

    /// <summary>99 of 100 calls took at most so many microseconds, a power of two; null before Redis 7.</summary>
    public long? P99Microseconds { get; init; }
}

/// <summary>The scenario that phases came from.</summary>
public sealed record ScenarioFacts
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>What it measures.</summary>
    public string? Description { get; init; }

    /// <summary>Who published the figures beside its own.</summary>
    public string? Source { get; init; }

    /// <summary>What records, operations, durations and pauses were multiplied by.</summary>
    public double Scale { get; init; } = 1;
}
