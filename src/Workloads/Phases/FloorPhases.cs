using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Phases;

/// <summary>The same load against the in-process server: what this tool can do at most.</summary>
internal static class FloorPhases
{
    private const long MostRecords = 100_000;

    private static readonly TimeSpan Length = TimeSpan.FromSeconds(2);

    /// <summary>What loads the records that a floor run reads; few enough to take no time.</summary>
    public static PhasePlan Load(PhasePlan phase) => new("load", isLoad: true, phase.Options.With(options =>
    {
        (options.Records, options.TotalSize) = (Math.Min(phase.Records, MostRecords), null);
        (options.Rate, options.Arrival, options.MaxInFlight) = ([], ArrivalChoice.Uniform, null);
        options.Verify = false;
        options.Value = phase.Content.ToString();
    }));

    public static PhasePlan Run(PhasePlan phase) => new("floor", phase.IsLoad, phase.Options.With(options =>
    {
        (options.Records, options.TotalSize) = (Math.Min(phase.Records, MostRecords), null);
        (options.Rate, options.Arrival, options.MaxInFlight) = ([], ArrivalChoice.Uniform, null);
        (options.Pipeline, options.Operations, options.Duration) = (phase.Pipeline, null, Length);
    }));
}
