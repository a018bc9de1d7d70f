namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>
/// The counts that verdicts and sections ask for. A service that has one says what it means there
/// (<see cref="Metric.As"/>); what only a service knows of is declared there alone.
/// </summary>
/// <remarks>
/// Of messages: asked = sent + unsent, and owed = returned + late + lost; with one consumer as many echoes as were
/// sent.
/// </remarks>
public static class Counted
{
    /// <summary>Due by the schedule.</summary>
    public static Metric Asked { get; } = Metric.Counter("asked");

    /// <summary>Sent; of a Consumer's producers what their end frames say.</summary>
    public static Metric Sent { get; } = Metric.Counter("sent", BetterWhen.Higher);

    /// <summary>Due while there was no connection or no room in flight.</summary>
    public static Metric Unsent { get; } = Metric.Counter("unsent");

    /// <summary>Echoes that were owed: every message that was sent, once for each consumer.</summary>
    public static Metric Owed { get; } = Metric.Counter("owed");

    /// <summary>Received at least once by a consumer, or a destination.</summary>
    public static Metric Received { get; } = Metric.Counter("received", BetterWhen.Higher);

    /// <summary>Sent back by a consumer.</summary>
    public static Metric Echoed { get; } = Metric.Counter("echoed", BetterWhen.Higher);

    /// <summary>Taken by a consumer and, as the producer asked, not sent back.</summary>
    public static Metric Kept { get; } = Metric.Counter("kept");

    /// <summary>Came back in time; of a load, replied to and not by an error.</summary>
    public static Metric Returned { get; } = Metric.Counter("returned", BetterWhen.Higher);

    /// <summary>Sent, and never seen again.</summary>
    public static Metric Lost { get; } = Metric.Counter("lost");

    /// <summary>Came, but after the receive deadline.</summary>
    public static Metric Late { get; } = Metric.Counter("late");

    /// <summary>Arrivals beyond the first of one message.</summary>
    public static Metric Duplicated { get; } = Metric.Counter("duplicated");

    /// <summary>First arrivals of a message after one that was sent later.</summary>
    public static Metric Reordered { get; } = Metric.Counter("reordered");

    /// <summary>Came back with another value than was sent.</summary>
    public static Metric Wrong { get; } = Metric.Counter("wrong");

    /// <summary>Damaged messages: the checksum or the frame did not hold.</summary>
    public static Metric Corrupted { get; } = Metric.Counter("corrupted");

    /// <summary>Somebody else's messages on the same channel.</summary>
    public static Metric Foreign { get; } = Metric.Counter("foreign");

    /// <summary>How often one had to wait because too many were in flight.</summary>
    public static Metric InFlightLimitHits { get; } = Metric.Counter("in-flight-limit-hits");

    /// <summary>Connections lost.</summary>
    public static Metric ConnectionsLost { get; } = Metric.Counter("connections-lost");

    /// <summary>Connections opened again, after they were lost.</summary>
    public static Metric Reconnected { get; } = Metric.Counter("reconnected");

    /// <summary>Connections closed and opened again on purpose, after so many requests.</summary>
    public static Metric Renewed { get; } = Metric.Counter("renewed");

    /// <summary>Connections that were opened beside the others and sent nothing.</summary>
    public static Metric IdleConnections { get; } = Metric.Counter("idle-connections");

    /// <summary>How many of those the server had closed by the end.</summary>
    public static Metric IdleClosed { get; } = Metric.Counter("idle-closed");

    /// <summary>Reads that were for replicas and went to a primary, because none was up.</summary>
    public static Metric ReadsOfPrimary { get; } = Metric.Counter("reads-of-primary");

    /// <summary>
    /// Times that a server said what was no reply to what it was asked, after which its connection was closed.
    /// </summary>
    public static Metric Contradictions { get; } = Metric.Counter("contradictions");

    /// <summary>Operations with a reply that is no error.</summary>
    public static Metric Completed { get; } = Metric.Counter("completed", BetterWhen.Higher);

    /// <summary>Of the warm-up, completed while it was measured: in no rate.</summary>
    public static Metric WarmUpCompleted { get; } = Metric.Counter("warm-up-completed");

    /// <summary>Values that were read and there.</summary>
    public static Metric Hits { get; } = Metric.Counter("hits", BetterWhen.Higher);

    /// <summary>Values that were read and not there.</summary>
    public static Metric Misses { get; } = Metric.Counter("misses");

    /// <summary>Ended by an error reply.</summary>
    public static Metric Errors { get; } = Metric.Counter("errors");

    /// <summary>Had no reply in time.</summary>
    public static Metric TimedOut { get; } = Metric.Counter("timed-out");

    /// <summary>Times that one was sent again after an error.</summary>
    public static Metric Retried { get; } = Metric.Counter("retried");

    /// <summary>Times that one was sent again because the server named another node.</summary>
    public static Metric Redirected { get; } = Metric.Counter("redirected");

    /// <summary>Values that were read and that nobody here had written.</summary>
    public static Metric Mismatched { get; } = Metric.Counter("mismatched");

    /// <summary>Bytes of requests.</summary>
    public static Metric BytesSent { get; } = Metric.Counter("bytes-sent") with { Unit = "bytes" };

    /// <summary>Bytes of replies.</summary>
    public static Metric BytesReceived { get; } = Metric.Counter("bytes-received") with { Unit = "bytes" };

    /// <summary>What becomes of operations: of all, and of each of a mix.</summary>
    public static IReadOnlyList<Metric> OfOperations { get; } =
    [
        Sent, Completed, Hits, Misses, Errors, TimedOut, Lost, Retried, Mismatched, BytesSent, BytesReceived,
    ];

    /// <summary>Read where they were looked for: keys, heartbeats, entries of a source.</summary>
    public static Metric Read { get; } = Metric.Counter("read", BetterWhen.Higher);

    /// <summary>Found with another value than was written.</summary>
    public static Metric Overwritten { get; } = Metric.Counter("overwritten");

    /// <summary>Not there when their deadline had passed.</summary>
    public static Metric Missing { get; } = Metric.Counter("missing");

    /// <summary>Not seen before a later one was there; of a synchronisation not to be carried over.</summary>
    public static Metric Skipped { get; } = Metric.Counter("skipped");

    /// <summary>Answered by an error in place of OK.</summary>
    public static Metric Refused { get; } = Metric.Counter("refused");

    /// <summary>Of which nothing is known, because reading ended before their deadline.</summary>
    public static Metric Unread { get; } = Metric.Counter("unread");

    /// <summary>Keys and commands that the target has.</summary>
    public static Metric Written { get; } = Metric.Counter("written", BetterWhen.Higher);

    /// <summary>Keys that the target has restored.</summary>
    public static Metric Keys { get; } = Metric.Counter("keys", BetterWhen.Higher);

    /// <summary>Commands that the target has carried out.</summary>
    public static Metric Commands { get; } = Metric.Counter("commands", BetterWhen.Higher);

    /// <summary>Left out by filters, as asked.</summary>
    public static Metric Filtered { get; } = Metric.Counter("filtered");

    /// <summary>Keys built by commands, because the target refused to restore them.</summary>
    public static Metric Rebuilt { get; } = Metric.Counter("rebuilt");

    /// <summary>Commands that were cut into several, for keys in several slots of the target.</summary>
    public static Metric Cut { get; } = Metric.Counter("cut");

    /// <summary>Transactions that are none at the target, for the same reason.</summary>
    public static Metric TransactionsCut { get; } = Metric.Counter("transactions-cut");

    /// <summary>Keys that two servers have the same.</summary>
    public static Metric Equal { get; } = Metric.Counter("equal", BetterWhen.Higher);

    /// <summary>Keys that two servers do not have the same.</summary>
    public static Metric Differences { get; } = Metric.Counter("differences");

    /// <summary>Keys that changed each time they were compared.</summary>
    public static Metric Unsettled { get; } = Metric.Counter("unsettled");

    /// <summary>How often a threshold came not to hold, of a run that judges in windows.</summary>
    public static Metric Alerts { get; } = Metric.Counter("alerts");

    /// <summary>How many keys the servers had before it; not known where one did not say.</summary>
    public static Metric KeysBefore { get; } = new("keys-before", MetricKind.Gauge) { Merge = MergeRule.None };

    /// <summary>How many keys the servers had after it.</summary>
    public static Metric KeysAfter { get; } = new("keys-after", MetricKind.Gauge) { Merge = MergeRule.None };

    /// <summary>Bytes of requests that the target has carried out.</summary>
    public static Metric Bytes { get; } = Metric.Counter("bytes") with { Unit = "bytes" };
}
