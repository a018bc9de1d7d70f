namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Processor time used, user and system, by threads; by the whole process, a server inside it included, where threads
/// are not counted.
/// </summary>
internal readonly record struct ProcessorUse(long Nanoseconds, bool IsOfProcess)
{
    /// <summary>The use of several threads; of the process it is the same for all of them.</summary>
    public static ProcessorUse Sum(IEnumerable<ProcessorUse> uses) => uses.Aggregate((sum, one) => one.IsOfProcess
        ? new ProcessorUse(Math.Max(sum.Nanoseconds, one.Nanoseconds), true)
        : new ProcessorUse(sum.Nanoseconds + one.Nanoseconds, false));
}
