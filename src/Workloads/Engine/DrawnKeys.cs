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
    /// <summary>The stream of operations that insert.</summary>
    public const int InsertStream = -1;

    /// <summary>The keys.</summary>
    public required KeySpace Space { get; init; }

    /// <summary>How operations spread over them; a mix names them by their place.</summary>
    public IReadOnlyList<KeyDistribution> Streams { get; init; } = [KeyDistribution.Uniform];

    /// <summary>
    /// What hands out new keys to the operations whose stream is <see cref="InsertStream"/>; the other streams grow
    /// with what of them is there. Null where nothing is inserted. All workers share it.
    /// </summary>
    public InsertSequence? Inserts { get; init; }

    /// <summary>How a key is written.</summary>
    public required KeyForm Form { get; init; }

    /// <summary>How long values are.</summary>
    public ValueSize Size { get; init; } = ValueSize.Parse("100");

    /// <summary>What is in them.</summary>
    public ValueContent Content { get; init; } = ValueContent.Parse("constant");

    /// <summary>The same seed draws the same, whatever the replies are.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>One worker's source; for <see cref="EnginePlan.Inputs"/>.</summary>
    public CommandInputs Create(WorkerPlace place) => new DrawnInputs(this, place);
}
