namespace RedisLatency.Workloads.Totals;

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
/// <param name="MeasuredFrom">When the first measured operation could be sent, by the monotonic clock.</param>
/// <param name="Sent">Sent.</param>
/// <param name="Completed">Replied to, not by an error.</param>
/// <param name="Wrong">Ended by an error, or with a value that nobody here had written.</param>
/// <param name="Missing">Without a reply in time, or on a connection that was lost.</param>
/// <param name="InFlight">Waiting for their reply.</param>
/// <param name="Unsent">Due, but not sent before the end.</param>
/// <param name="ConnectionsLost">Connections lost, or given up after a time-out.</param>
internal readonly record struct EngineProgress(
    long MeasuredFrom, long Sent, long Completed, long Wrong, long Missing, long InFlight, long Unsent,
    long ConnectionsLost);
