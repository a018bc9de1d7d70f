using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Keys.Forms;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Engine.Drawing;

/// <summary>Which keys and values a workload draws. Immutable; <see cref="Create"/> makes each worker's source.</summary>
internal sealed record DrawnKeys
{
    /// <summary>The keys.</summary>
    public required KeySpace Space { get; init; }

    /// <summary>How operations spread over them; a mix names them by their place.</summary>
    public IReadOnlyList<KeyDistribution> Streams { get; init; } = [KeyDistribution.Uniform];

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
