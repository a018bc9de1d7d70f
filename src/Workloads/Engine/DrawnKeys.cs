using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Engine;

/// <summary>Which keys and values a workload draws. Immutable.</summary>
internal sealed record DrawnKeys
{
    public const int InsertStream = -1;

    public required KeySpace Space { get; init; }

    /// <summary>How operations spread over them; a mix names them by their place.</summary>
    public IReadOnlyList<KeyDistribution> Streams { get; init; } = [KeyDistribution.Uniform];

    /// <summary>Hands out the new keys of <see cref="InsertStream"/> to all workers; null without inserts.</summary>
    public InsertSequence? Inserts { get; init; }

    public required KeyForm Form { get; init; }

    public ValueSize Size { get; init; } = ValueSize.Parse("100");

    public ValueContent Content { get; init; } = ValueContent.Parse("constant");

    public ulong Seed { get; init; } = 1;

    public CommandInputs Create(WorkerPlace place) => new DrawnInputs(this, place);
}
