using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// What a measurement ran on and in: everything that makes two runs of one program differ. What could not be found
/// out is null, or "unknown".
/// </summary>
public sealed record MachineFacts
{
    private const string Unknown = "unknown";
    private const string Processor = "sys/devices/system/cpu";

    /// <summary>The host's name.</summary>
    public required string MachineName { get; init; }

    /// <summary>The operating system as it names itself.</summary>
    public required string OperatingSystem { get; init; }

    /// <summary>The kernel's release.</summary>
    public required string Kernel { get; init; }

    /// <summary>The architecture of this process.</summary>
    public required string Architecture { get; init; }

    /// <summary>The processor's model.</summary>
    public required string ProcessorModel { get; init; }

    /// <summary>Logical processors this process may run on.</summary>
    public required int Cores { get; init; }

    /// <summary>How many cores' time the tightest control group allows; null where it does not limit.</summary>
    public double? CpuQuotaCores { get; init; }

    /// <summary>The kernel's clock source, such as tsc; null where not told.</summary>
    public string? ClockSource { get; init; }

    /// <summary>The smallest step of the monotonic clock, in nanoseconds.</summary>
    public required double ClockResolutionNs { get; init; }

    /// <summary>What one reading of the monotonic clock costs.</summary>
    public ClockReadCost? ClockReadCost { get; init; }

    /// <summary>
    /// How late the kernel may wake a waiting thread to save power, in nanoseconds; null where not told.
    /// </summary>
    public long? TimerSlackNs { get; init; }

    /// <summary>
    /// The idle states a processor may enter with the microseconds each takes to leave, such as "POLL 0, C1 2, C6
    /// 133 (off)"; null where not told.
    /// </summary>
    public string? IdleStates { get; init; }

    /// <summary>What chooses the idle state; null where not told.</summary>
    public string? IdleGovernor { get; init; }

    /// <summary>What chooses the processor's frequency; null where not told.</summary>
    public string? FrequencyGovernor { get; init; }

    /// <summary>
    /// The longest wake-up from idle, in microseconds, that this process asked of the kernel during the run
    /// (/dev/cpu_dma_latency); null where it asked for nothing.
    /// </summary>
    public int? CpuDmaLatencyHeldMicroseconds { get; init; }

    /// <summary>What runs the program, and how it was compiled.</summary>
    public required RuntimeFacts Runtime { get; init; }

    /// <summary>Those of a machine of which nothing is known: another tool measured on it.</summary>
    public static MachineFacts NotKnown { get; } = new()
    {
        MachineName = Unknown,
        OperatingSystem = Unknown,
        Kernel = Unknown,
        Architecture = Unknown,
        ProcessorModel = Unknown,
        Cores = 0,
        ClockResolutionNs = 0,
        Runtime = new RuntimeFacts
        {
            Version = Unknown,
            ServerGc = false,
            ConcurrentGc = false,
            BuildConfiguration = Unknown,
            Optimized = true,
            TieredCompilation = false,
            TieredPgo = false,
        },
    };

    /// <summary>Finds them out; takes about a millisecond, for the clock.</summary>
    public static MachineFacts Read() => Read(new HostFiles()) with
    {
        ClockReadCost = Clocks.ClockReadCost.Measure(),
    };

    internal static MachineFacts Read(HostFiles files) => new()
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

/// <summary>The runtime that executes the program, and how the program was compiled.</summary>
public sealed record RuntimeFacts
{
    /// <summary>The runtime and its version.</summary>
    public required string Version { get; init; }

    /// <summary>Whether garbage is collected per core, for throughput, rather than as a workstation does.</summary>
    public required bool ServerGc { get; init; }

    /// <summary>Whether full collections run beside the program.</summary>
    public required bool ConcurrentGc { get; init; }

    /// <summary>The build configuration of the program, such as Release.</summary>
    public required string BuildConfiguration { get; init; }

    /// <summary>Whether the program was compiled with optimisation.</summary>
    public required bool Optimized { get; init; }

    /// <summary>Whether methods are compiled anew while the program runs.</summary>
    public required bool TieredCompilation { get; init; }

    /// <summary>Whether they are then compiled after what was seen of their use.</summary>
    public required bool TieredPgo { get; init; }

    /// <summary>Whether the program is a native one, in which nothing is compiled while it runs.</summary>
    public bool Native { get; init; }

    /// <summary>
    /// How the program was built, in a word: native, or the configuration that is compiled while it runs.
    /// </summary>
    public string DescribeBuild() => Native ? "native" : BuildConfiguration;

    /// <summary>Finds them out about this process.</summary>
    public static RuntimeFacts Read()
    {
        var program = Assembly.GetEntryAssembly() ?? typeof(RuntimeFacts).Assembly;
        return new RuntimeFacts
        {
            Version = RuntimeInformation.FrameworkDescription,
            ServerGc = GCSettings.IsServerGC,
            // Where collection is not concurrent the mode is Batch.
            ConcurrentGc = GCSettings.LatencyMode is GCLatencyMode.Interactive or GCLatencyMode.SustainedLowLatency,
            BuildConfiguration =
                program.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "unknown",
            Optimized = program.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled is not true,
            TieredCompilation =
                RuntimeFeature.IsDynamicCodeCompiled && IsOn("TieredCompilation", "System.Runtime.TieredCompilation"),
            TieredPgo = RuntimeFeature.IsDynamicCodeCompiled && IsOn("TieredPGO", "System.Runtime.TieredPGO"),
            Native = !RuntimeFeature.IsDynamicCodeCompiled,
        };
    }

    // The environment wins over the program's own configuration, and both are on where nothing is said.
    private static bool IsOn(string knob, string property) =>
        (Environment.GetEnvironmentVariable($"DOTNET_{knob}") ?? Environment.GetEnvironmentVariable($"COMPlus_{knob}"))
            is { } value
            ? value is not "0"
            : !string.Equals(AppContext.GetData(property)?.ToString(), "false", StringComparison.OrdinalIgnoreCase);
}
