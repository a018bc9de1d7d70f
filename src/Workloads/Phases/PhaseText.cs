using System.Globalization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Workloads.Phases;

internal static class PhaseText
{
    /// <summary>What precedes the series of the n-th phase in the log, from 1.</summary>
    public static string TagOf(int number) => number.ToString(CultureInfo.InvariantCulture);

    public static string Of(PhasePlan phase)
    {
        var much = (phase.Operations, phase.Duration) switch
        {
            ({ } operations, { } duration) => $"{Quantity.Count(operations)} operations or {Seconds(duration)}",
            ({ } operations, null) => $"{Quantity.Count(operations)} operations",
            (null, { } duration) => Seconds(duration),
            _ => "until it is stopped",
        };
        var records = phase.IsLoad ? string.Empty : $" on {Quantity.Count(phase.Records)} records";
        var fast = phase.IsOpenLoop
            ? $"{Quantity.Rate(phase.Options.Rate[^1].To)} asked"
            : $"{Quantity.Count(phase.Pipeline)} in flight on each";
        return $"{much}{records}, {Quantity.Count(phase.Connections)} connections, {fast}";
    }

    private static string Seconds(TimeSpan duration) => Quantity.Duration(duration.TotalNanoseconds);
}
