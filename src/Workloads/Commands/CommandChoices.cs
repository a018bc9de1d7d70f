using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

/// <summary>What is chosen for all operations of a mix.</summary>
/// <param name="Expiry">How long what is written by SET lives; null for ever.</param>
/// <param name="KeepsNumbers">Whether __rand_int__ is sent as it stands.</param>
/// <param name="Fields">The form of records that are hashes; null where they are strings.</param>
internal sealed record CommandChoices(
    InclusiveRange<TimeSpan>? Expiry = null, bool KeepsNumbers = false, RecordForm? Fields = null);
