using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Workloads.Commands;

/// <summary>Which operations a workload has and how often each comes. Immutable, and shared by all workers.</summary>
internal sealed class OperationMix
{
    // Each has two series, one of them of the warm-up, which are numbered by a short.
    private const int Most = short.MaxValue / 2;

    // What others wrote is read too, and may be longer than what this run writes.
    private const int LongestForeignValue = 16 << 20;

    // A command of the user's may answer with more than the value of its key.
    private const int FewestValues = 4;

    private readonly ulong[] _limits;
    private readonly int[] _first;
    private readonly int[] _cycle;

    /// <summary>Cyclic, operations come in turn, each as often as its whole weight says (memtier's ratio).</summary>
    public OperationMix(
        IReadOnlyList<MixedOperation> operations, bool isCyclic = false, OperationTurns? turns = null)
    {
        ArgumentNullException.ThrowIfNull(operations);
        var sum = operations.Sum(operation => operation.Weight);
        if (operations.Count is 0 or > Most || !(sum > 0) || !double.IsFinite(sum)
            || operations.Any(operation => operation.Weight < 0))
            throw new ArgumentException("A mix needs an operation with a weight above zero.", nameof(operations));
        if (operations.DistinctBy(operation => operation.Name).Count() != operations.Count)
            throw new ArgumentException("Two operations of a mix have the same name.", nameof(operations));
        Operations = [.. operations];
        IsCyclic = isCyclic;
        _first = isCyclic ? [.. turns?.First ?? []] : [];
        _cycle = isCyclic ? [.. turns?.Then ?? Cycle(Operations)] : [];
        _limits = Limits(Operations, sum);
    }

    public IReadOnlyList<MixedOperation> Operations { get; }

    public bool IsCyclic { get; }

    /// <summary>What a reply to any of them may be, where values of so many bytes are written.</summary>
    internal RespLimits RepliesAllowed(int longestWritten) => RespLimits.OfValues(
        Math.Max(LongestForeignValue, longestWritten),
        Math.Max(FewestValues, Operations.Max(operation => operation.Command.ValuesPerReply)));

    /// <summary>Whether a node must be told something before operations can be sent to it.</summary>
    internal bool NeedsPreparation => Operations.Any(operation => operation.Command.Preparation.Count > 0);

    /// <summary>Tells a node: SCRIPT LOAD.</summary>
    internal void Prepare(RedisConnection connection)
    {
        foreach (var operation in Operations.Where(operation => operation.Command.Preparation.Count > 0))
            connection.Execute([.. operation.Command.Preparation]);
    }

    /// <summary>The place of the next operation, after so many turns; a mix of one operation draws nothing.</summary>
    internal int Next(CommandInputs inputs, long turn)
    {
        if (_limits.Length == 1)
            return 0;
        if (IsCyclic)
            return turn < _first.Length ? _first[turn] : _cycle[(turn - _first.Length) % _cycle.Length];
        var random = inputs.NextRandom();
        var index = 0;
        while (random > _limits[index])
            index++;
        return index;
    }

    private static ulong[] Limits(IReadOnlyList<MixedOperation> operations, double sum)
    {
        var limits = new ulong[operations.Count];
        var before = 0.0;
        for (var index = 0; index < limits.Length; index++)
        {
            before += operations[index].Weight;
            limits[index] = (ulong)Math.Min(before / sum * 18446744073709551616.0, 18446744073709549568.0);
        }

        // What rounding leaves over belongs to the last operation that has a weight, not to one that has none.
        var last = limits.Length - 1;
        while (operations[last].Weight == 0)
            last--;
        for (; last < limits.Length; last++)
            limits[last] = ulong.MaxValue;
        return limits;
    }

    private static IEnumerable<int> Cycle(IReadOnlyList<MixedOperation> operations) =>
        operations.SelectMany((operation, index) => Enumerable.Repeat(index, (int)Math.Ceiling(operation.Weight)));
}
