using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

internal sealed class InstrumentSection(RunRecord record)
{
    public void WriteTo(TextWriter writer)
    {
        writer.Heading("INSTRUMENT");
        if (record.Hiccups is { Count: > 0 } hiccups)
        {
            writer.Line("hiccups (a thread that wakes every 5 ms): "
                + $"p50 {Quantity.Duration(hiccups.Percentiles.At(50)?.Value)}, "
                + $"p99 {Quantity.Duration(hiccups.Percentiles.At(99)?.Value)}, "
                + $"max {Quantity.Duration(hiccups.Max ?? 0)}");
        }

        if (record.GcPauses is { } gc)
        {
            writer.Line($"garbage collections {Quantity.Count(gc.Collections)}, "
                + $"paused {Quantity.Duration(gc.TotalPauseNs)} in all");
        }

        WriteCpu(writer);
        var machine = record.Environment;
        writer.Line($"{machine.Cores.ToString(CultureInfo.InvariantCulture)} cores, "
            + $"{machine.ProcessorModel}; {machine.Kernel}; {machine.Runtime.Version} "
            + machine.Runtime.BuildConfiguration
            + (machine.Runtime.Optimized ? string.Empty : ", NOT OPTIMISED"));
        var idle = machine.CpuDmaLatencyHeldMicroseconds is { } held
            ? $"processors held awake (cpu_dma_latency {held} us)"
            : $"idle states {machine.IdleStates ?? "not known"}, cpu_dma_latency not held";
        var clock = machine.ClockReadCost is { } cost
            ? $"clock {machine.ClockSource ?? "not known"}, {Quantity.Duration(cost.MedianNs)} a read"
            : string.Empty;
        writer.Line($"{idle}; {clock}");
    }

    private void WriteCpu(TextWriter writer)
    {
        var shares = new List<string>();
        if (record.Cpu is { } cpu)
            shares.Add($"this process {Quantity.Percent(cpu.ProcessCores)} of a core");
        shares.AddRange(record.Targets.Where(target => target.ServerCpuShare is not null)
            .Select(target => $"server {target.Name} {Quantity.Percent(target.ServerCpuShare!.Value)}"));
        if (record.Cpu?.HostStealShare is > 0 and { } steal)
            shares.Add($"stolen from the machine {Quantity.Percent(steal)}");
        if (shares.Count > 0)
            writer.Line($"CPU: {string.Join(", ", shares)}");
    }
}
