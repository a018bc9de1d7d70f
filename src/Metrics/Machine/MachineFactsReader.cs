using System.Diagnostics;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Machine;

internal static class MachineFactsReader
{
    private const string Unknown = "unknown";
    private const string Processor = "sys/devices/system/cpu";

    public static MachineFacts Read(HostFiles files) => new()
    {
        MachineName = Environment.MachineName,
        OperatingSystem = RuntimeInformation.OSDescription,
        Kernel = files.ReadText("proc/sys/kernel/osrelease") ?? Environment.OSVersion.VersionString,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant(),
        ProcessorModel = ReadProcessorModel(files),
        Cores = Environment.ProcessorCount,
        CpuQuotaCores = CgroupCpu.Find(files).QuotaCores,
        ClockSource = files.ReadText("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        ClockResolutionNs = 1e9 / Stopwatch.Frequency,
        TimerSlackNs = files.ReadNumber("proc/self/timerslack_ns"),
        IdleStates = ReadIdleStates(files),
        IdleGovernor = files.ReadText($"{Processor}/cpuidle/current_governor")
            ?? files.ReadText($"{Processor}/cpuidle/current_governor_ro"),
        FrequencyGovernor = files.ReadText($"{Processor}/cpu0/cpufreq/scaling_governor"),
        Runtime = RuntimeFacts.Read(),
    };

    // ARM kernels name no model; their "CPU part" is at least the same for the same core.
    private static string ReadProcessorModel(HostFiles files) =>
        files.ReadField("proc/cpuinfo", "model name")
        ?? (files.ReadField("proc/cpuinfo", "CPU part") is { } part
            ? $"ARM implementer {files.ReadField("proc/cpuinfo", "CPU implementer") ?? Unknown}, part {part}"
            : Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER") ?? Unknown);

    private static string? ReadIdleStates(HostFiles files)
    {
        const string Folder = $"{Processor}/cpu0/cpuidle";
        var states = files.FolderNames(Folder)
            .Where(state => state.StartsWith("state", StringComparison.Ordinal))
            .OrderBy(state => HostFiles.ParseNumber(state["state".Length..]) ?? long.MaxValue)
            .Select(state => $"{files.ReadText($"{Folder}/{state}/name") ?? state}"
                + $" {files.ReadText($"{Folder}/{state}/latency") ?? "?"}"
                + (files.ReadText($"{Folder}/{state}/disable") is "1" ? " (off)" : ""));
        var text = string.Join(", ", states);
        return text.Length == 0 ? null : text;
    }
}
