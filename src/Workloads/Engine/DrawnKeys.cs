using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Which keys and values a workload draws. Immutable; <see cref="Create"/> makes each worker's source.
/// </summary>
internal sealed record DrawnKeys
{
    public const int InsertStream = -1;

    public required KeySpace Space { get; init; }

    /// <summary>How operations spread over them; a mix names them by their place.</summary>
    public IReadOnlyList<KeyDistribution> Streams { get; init; } = [KeyDistribution.Uniform];

    /// <summary>
    /// What hands out new keys to the operations whose stream is <see cref="InsertStream"/>; the other streams grow
    /// with what of them is there. Null where nothing is inserted. All workers share it.
    /// </summary>
    public InsertSequence? Inserts { get; init; }

    public required KeyForm Form { get; init; }

    public ValueSize Size { get; init; } = ValueSize.Parse("100");

    public ValueContent Content { get; init; } = ValueContent.Parse("constant");

    public ulong Seed { get; init; } = 1;

    /// <summary>One worker's source; for <see cref="EnginePlan.Inputs"/>.</summary>
    public CommandInputs Create(WorkerPlace place) => new DrawnInputs(this, place);
}
