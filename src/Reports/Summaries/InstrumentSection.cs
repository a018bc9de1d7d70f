using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>The tool itself: what it cost, and how late it was; not known of another tool's measurement.</summary>
internal sealed class InstrumentSection(RunRecord record)
{
    public Section? Create()
    {
        if (record.Imported is not null)
            return null;
        var section = new Section("INSTRUMENT", Extent.Details);
        if (record.Hiccups is { Count: > 0 } hiccups)
        {
            section.Add("hiccups (a thread that wakes every 5 ms): "
                + $"p50 {Quantity.Duration(hiccups.Percentiles.At(50)?.Value)}, "
                + $"p99 {Quantity.Duration(hiccups.Percentiles.At(99)?.Value)}, "
                + $"max {Quantity.Duration(hiccups.Max ?? 0)}");
        }

        if (record.GcPauses is { } gc)
        {
            section.Add($"garbage collections {Quantity.Count(gc.Collections)}, "
                + $"paused {Quantity.Duration(gc.TotalPauseNs)} in all");
        }

        if (Shares() is { Count: > 0 } shares)
            section.Add($"CPU: {string.Join(", ", shares)}");
        var machine = record.Environment;
        section.Add($"{machine.Cores.ToString(CultureInfo.InvariantCulture)} cores, "
            + $"{machine.ProcessorModel}; {machine.Kernel}; {machine.Runtime.Version} "
            + machine.Runtime.DescribeBuild()
            + (machine.Runtime.Optimized ? string.Empty : ", NOT OPTIMISED"));
        var idle = machine.CpuDmaLatencyHeldMicroseconds is { } held
            ? $"processors held awake (cpu_dma_latency {held} us)"
            : $"idle states {machine.IdleStates ?? "not known"}, cpu_dma_latency not held";
        var clock = machine.ClockReadCost is { } cost
            ? $"clock {machine.ClockSource ?? "not known"}, {Quantity.Duration(cost.MedianNs)} a read"
            : string.Empty;
        return section.Add($"{idle}; {clock}");
    }

    /// <summary>The same in one line, for the answer.</summary>
    public string? Line()
    {
        if (record.Imported is not null)
            return null;
        var hiccups = record.Hiccups is { Count: > 0 } known
            ? $"hiccups {Highest(known)}max {Quantity.Duration(known.Max)}; "
            : string.Empty;
        var cpu = Shares() is { Count: > 0 } shares ? $"CPU {string.Join(", ", shares)}; " : string.Empty;
        var machine = record.Environment;
        return $"instrument: {hiccups}{cpu}{machine.Cores.ToString(CultureInfo.InvariantCulture)} cores"
            + (machine.Runtime.Optimized ? string.Empty : ", NOT OPTIMISED");
    }

    private static string Highest(LatencySeries hiccups) =>
        hiccups.Percentiles.At(99)?.Value is { } value ? $"p99 {Quantity.Duration(value)}, " : string.Empty;

    private List<string> Shares()
    {
        var shares = new List<string>();
        if (record.Cpu is { } cpu)
            shares.Add($"this process {Quantity.Percent(cpu.ProcessCores)} of a core");
        shares.AddRange(
            from summary in record.Summaries
            let share = summary.Metrics.Value(Cost.ServerBusy)
            where share is not null && summary.Workload is not { IsFloor: true } && record.Targets.Count > 0
            // A phase has another name than its server.
            group share.Value by record.Targets.FirstOrDefault(target => target.Name == summary.Name)
                ?? record.Targets[0] into same
            select $"server {same.Key.Name} {Quantity.Percent(same.Max())}");
        if (record.Cpu?.HostStealShare is > 0 and { } steal)
            shares.Add($"stolen from the machine {Quantity.Percent(steal)}");
        return shares;
    }
}
