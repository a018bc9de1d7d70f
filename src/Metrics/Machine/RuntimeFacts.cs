using System.Diagnostics;
using System.Reflection;
using System.Reflection.PortableExecutable;
using System.Runtime;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Machine;

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

    /// <summary>Whether the program was compiled ahead of time as well; null where it cannot be told.</summary>
    public bool? ReadyToRun { get; init; }

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
            TieredCompilation = IsOn("TieredCompilation", "System.Runtime.TieredCompilation"),
            TieredPgo = IsOn("TieredPGO", "System.Runtime.TieredPGO"),
            ReadyToRun = IsReadyToRun(program.Location),
        };
    }

    // The environment wins over the program's own configuration, and both are on where nothing is said.
    private static bool IsOn(string knob, string property) =>
        (Environment.GetEnvironmentVariable($"DOTNET_{knob}") ?? Environment.GetEnvironmentVariable($"COMPlus_{knob}"))
            is { } value
            ? value is not "0"
            : !string.Equals(AppContext.GetData(property)?.ToString(), "false", StringComparison.OrdinalIgnoreCase);

    private static bool? IsReadyToRun(string path)
    {
        if (path.Length == 0)
            return null;
        try
        {
            using var image = new PEReader(File.OpenRead(path));
            return image.PEHeaders.CorHeader?.ManagedNativeHeaderDirectory.Size > 0;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException
            or BadImageFormatException)
        {
            return null;
        }
    }
}
