namespace RedisLatency.Workloads.Engine;

/// <summary>User and system; where threads alone cannot be told, of the process, a server inside it included.</summary>
internal readonly record struct ProcessorUse(long Nanoseconds, bool IsOfProcess)
{
    /// <summary>The use of several threads; of the process it is the same for all of them.</summary>
    public static ProcessorUse Sum(IEnumerable<ProcessorUse> uses) => uses.Aggregate((sum, one) => one.IsOfProcess
        ? new ProcessorUse(Math.Max(sum.Nanoseconds, one.Nanoseconds), true)
        : new ProcessorUse(sum.Nanoseconds + one.Nanoseconds, false));
}
