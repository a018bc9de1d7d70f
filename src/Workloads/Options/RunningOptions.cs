using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Options;

internal sealed class RunningOptions
{
    public ClusterUse Cluster { get; set; }

    public ReadPreference ReadFrom { get; set; }

    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The processor of the first thread, the others take the next ones; null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held for the run; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }

    public bool Overwrite { get; set; }

    public int Repeat { get; set; } = 1;

    /// <summary>Percentiles beside those that are always shown.</summary>
    public IReadOnlyList<double> Percentiles { get; set; } = [];

    public bool Floor { get; set; }

    public TelemetryOptions Telemetry { get; } = new();
}

internal static class RunningCatalogue
{
    public static OptionCatalogue<RunningOptions> Create() => new OptionCatalogue<RunningOptions>("Workload")
        .Group("Engine")
        .Add("--cluster", o => o.Cluster, Syntax.Choice<ClusterUse>(),
            "Whether keys go to the cluster node that has their slot; auto asks the server, off is for proxies")
        .Add("--read-from", o => o.ReadFrom, Syntax.Choice<ReadPreference>(),
            "Where commands that only read are sent: in a cluster, behind Sentinels, or given a primary or one of its "
            + "replicas")
        .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: TimeSpan.FromHours(1)),
            "How long to try to reach a lost server before the run ends")
        .Add("--overwrite", o => o.Overwrite, Syntax.Flag,
            "Overwrite existing keys that no load of this tool has written; otherwise refused")
        .Add("--cpu", o => o.Cpu, Syntax.SmallCount(0, 1023).Optional(),
            "Pin the first thread to this processor, the others to the next ones", shownDefault: "any")
        .Add("--cpu-dma-latency", o => o.CpuDmaLatency, Syntax.SmallCount(0, 1_000_000, "us").Optional(),
            "Keep processors out of idle states that take longer than this to leave, in us (needs root)",
            shownDefault: "as the machine has it")
        .Add("--repeat", o => o.Repeat, Syntax.SmallCount(1, 1_000, "times"),
            "How often to measure all but the load, one time after the other")
        .Add("--percentiles", o => o.Percentiles, PercentilesSyntax.Create(),
            "Further percentiles of every latency, for instance 25,75,95,99.5", shownDefault: "none")
        .Add("--floor", o => o.Floor, Syntax.Flag,
            "Also measure the in-process server the same way: the most that this tool can do")
        .Include(TelemetryCatalogue.Create(), o => o.Telemetry);
}

/// <summary>Reads <c>25,75,99.5</c>.</summary>
internal static class PercentilesSyntax
{
    private const int Most = 20;

    public static ValueSyntax<IReadOnlyList<double>> Create() => new("PERCENTILE,…", Read, Write);

    private static ValueReading<IReadOnlyList<double>> Read(string text)
    {
        var percentiles = new List<double>();
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!double.TryParse(part, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percentile)
                || percentile is not (> 0 and < 100) || percentile != Math.Round(percentile, 5))
            {
                return ValueReading.Wrong<IReadOnlyList<double>>(
                    $"'{part}' is no percentile between 0 and 100 with at most five decimals");
            }

            percentiles.Add(percentile);
        }

        return percentiles.Count <= Most
            ? ValueReading.Of<IReadOnlyList<double>>(percentiles)
            : ValueReading.Wrong<IReadOnlyList<double>>($"at most {Most} percentiles");
    }

    private static string? Write(IReadOnlyList<double> percentiles) => percentiles.Count == 0 ? null
        : string.Join(',', percentiles.Select(one => one.ToString(CultureInfo.InvariantCulture)));
}
