namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Which of how many processes, from 0, that measure one workload together. Their workers are counted through, so that
/// keys, draws and times are those of one process with as many.
/// </summary>
internal readonly record struct MemberShare(int Index, int Count)
{
    public static MemberShare Alone { get; } = new(0, 1);

    /// <summary>This one's part of what cannot be divided: what remains is the first members'.</summary>
    public int Of(int whole) => (whole / Count) + (Index < whole % Count ? 1 : 0);
}
