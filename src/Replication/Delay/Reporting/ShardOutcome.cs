using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Reporting;

/// <summary>What came to be known of a shard.</summary>
/// <param name="Name">Which slots, and from where to where.</param>
/// <param name="Keys">What became of its keys.</param>
/// <param name="Series">What was measured.</param>
/// <param name="Sent">Keys that were sent.</param>
internal sealed record ShardOutcome(
    string Name, ReplicationDelay Keys, IReadOnlyList<CollectedSeries> Series, long Sent);
