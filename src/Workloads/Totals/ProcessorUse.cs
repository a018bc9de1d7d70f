namespace RedisLatency.Workloads.Totals;

/// <summary>Processor time of the measured stretch, user and system.</summary>
/// <param name="Nanoseconds">How much.</param>
/// <param name="IsOfProcess">
/// Whether it is of the whole process, where the time of the threads alone cannot be told; a server inside the process
/// is then in it, too.
/// </param>
internal readonly record struct ProcessorUse(long Nanoseconds, bool IsOfProcess)
{
    /// <summary>The use of several threads; of the process it is the same for all of them.</summary>
    public static ProcessorUse Sum(IEnumerable<ProcessorUse> uses) => uses.Aggregate((sum, one) => one.IsOfProcess
        ? new ProcessorUse(Math.Max(sum.Nanoseconds, one.Nanoseconds), true)
        : new ProcessorUse(sum.Nanoseconds + one.Nanoseconds, false));
}
