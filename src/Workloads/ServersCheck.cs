using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Reports.Output;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads;

/// <summary>Whether the servers are there that a run would send to, and as many connections allowed.</summary>
internal static class ServersCheck
{
    /// <exception cref="RedisException">Something is missing.</exception>
    public static void Run(WorkloadJob job, ResolvedTarget target, PhasePlan phase, StandardOutput output)
    {
        if (target.Driver != DriverKind.Raw)
            return;
        var isCluster = job.Running.Cluster switch
        {
            ClusterUse.On => true,
            ClusterUse.Off => false,
            _ => ObservedServers.IsOfCluster(target),
        };
        var plan = phase.At(job.Targets, job.Running, isCluster, job.Running.ReadFrom);
        using var source = ServerSource.Open(plan);
        var shards = source?.Current.Shards ?? [];
        var replicas = shards.Sum(shard => shard.Replicas.Count);
        var read = plan.ReadFrom == ReadPreference.Primary ? 0 : replicas;
        OpenFileLimit.Require(phase.Connections * Math.Max(1, shards.Count + read));
        if (source is null)
            return;
        var from = plan.ReadFrom switch
        {
            ReadPreference.Replica => "replicas",
            ReadPreference.Any => "both",
            _ => "primaries",
        };
        output.WriteLine($"ok    primaries: {Quantity.Count(shards.Count)}, replicas: {Quantity.Count(replicas)}; "
            + $"reads would go to {from}");
    }
}
