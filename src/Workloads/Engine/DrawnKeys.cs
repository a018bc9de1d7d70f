using RedisLatency.Workloads.Commands;
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

    /// <summary>Of streams that do not draw records: what they draw, by their place.</summary>
    public IReadOnlyDictionary<int, KeySpace> OwnSpaces { get; init; } = new Dictionary<int, KeySpace>();

    /// <summary>Hands out the new keys of <see cref="InsertStream"/> to all workers; null without inserts.</summary>
    public InsertSequence? Inserts { get; init; }

    // Whether new keys are drawn by the others.
    public bool HasNewKeys { get; init; } = true;

    public required KeyForm Form { get; init; }

    public ValueSize Size { get; init; } = ValueSize.Parse("100");

    public ValueContent Content { get; init; } = ValueContent.Parse("constant");

    public ulong Seed { get; init; } = 1;

    /// <summary>The fields of a record, where records are hashes; null for strings.</summary>
    public RecordForm? Fields { get; init; }

    public CommandInputs Create(WorkerShare place) => new DrawnInputs(this, place);
}
