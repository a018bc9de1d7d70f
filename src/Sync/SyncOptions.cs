using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Targets;
using RedisLatency.Sync.Verify;

namespace RedisLatency.Sync;

/// <summary>Options of every synchronisation, wherever it reads.</summary>
internal sealed class SyncOptions
{
    public TargetOptions Target { get; } = new();
    public IdentityOptions Identity { get; } = new();
    public OutputOptions Output { get; } = new();
    public TelemetryOptions Telemetry { get; } = new();
    public FilterOptions Filter { get; } = new();
    public ScanOptions Scan { get; } = new();
    public ReadingOptions Reading { get; } = new();
    public VerifyOptions Verify { get; } = new();

    public string? Source { get; set; }
    public string? Destination { get; set; }
    public string? DestinationFile { get; set; }
    public bool OnlyVerifies { get; set; }
    public bool Verifies { get; set; }
    public FileFormat FileFormat { get; set; } = FileFormat.Aof;

    public ExistingKeys OnExisting { get; set; } = ExistingKeys.Panic;
    public IReadOnlyList<string> Databases { get; set; } = [];
    public IReadOnlyList<string> Prefixes { get; set; } = [];
    public string? Function { get; set; }
    public string? FunctionCode { get; set; }
    public bool EmptiesDestination { get; set; }
    public bool SkipsRefusedLibraries { get; set; }
    public double Rate { get; set; }
    public int Connections { get; set; } = 2;
    public int MostInFlight { get; set; } = 1024;
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);
}

internal sealed class ReadingOptions
{
    public string File { get; set; } = string.Empty;
    public bool LeavesDataSet { get; set; }
    public bool LeavesStream { get; set; }
    public bool PrefersReplica { get; set; }
    public bool RefusesDiskless { get; set; }
    public string? SpoolFolder { get; set; }
    public long SpoolLimit { get; set; } = 10L << 30;
    public long BigValue { get; set; } = 64 << 20;
    public CheckpointUse Checkpoint { get; set; } = CheckpointUse.Keep;
    public long? Until { get; set; }
    public IReadOnlyList<string> PsyncCommands { get; set; } = [];
}
