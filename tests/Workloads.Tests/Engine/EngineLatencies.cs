using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>What an engine has recorded: per operation, and how late they were sent.</summary>
internal sealed class EngineLatencies(int operations)
{
    public IReadOnlyList<LatencyHistogram> Service { get; } = Histograms(operations);

    public IReadOnlyList<LatencyHistogram> Response { get; } = Histograms(operations);

    public LatencyHistogram Lateness { get; } = LatencyHistogram.ForLatency();

    /// <summary>Adds what was recorded since the last call.</summary>
    public void Take(LoadEngine engine)
    {
        foreach (var worker in engine.Workers)
        {
            for (var i = 0; i < Service.Count; i++)
                worker.Service[i].TakeInterval(Service[i]);
            for (var i = 0; i < Response.Count && worker.Response.Length > 0; i++)
                worker.Response[i].TakeInterval(Response[i]);
            worker.Lateness.TakeInterval(Lateness);
        }
    }

    private static List<LatencyHistogram> Histograms(int count) =>
        [.. Enumerable.Range(0, count).Select(_ => LatencyHistogram.ForLatency())];
}
