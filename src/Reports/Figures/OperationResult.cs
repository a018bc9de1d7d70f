using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Figures;

/// <summary>
/// What became of one operation of a mix: sent = completed + errors + timed out + lost, once nothing is in flight.
/// </summary>
public sealed record OperationResult
{
    /// <summary>The name of its series.</summary>
    public required string Name { get; init; }

    /// <summary>The command, with placeholders.</summary>
    public required string Command { get; init; }

    /// <summary>Sent; one that was sent again counts once. Null where another tool does not say.</summary>
    public long? Sent { get; init; }

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
    public long InFlight => (Sent ?? Completed) - Completed - (Errors ?? 0) - (TimedOut ?? 0) - (Lost ?? 0);
}
