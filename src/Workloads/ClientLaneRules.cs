using RedisLatency.Redis.StackExchange;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads;

/// <summary>What of the options the StackExchange.Redis lane cannot do.</summary>
internal static class ClientLaneRules
{
    private const string Driver = "--driver stackexchange";

    public static IEnumerable<string> Problems(WorkloadJob job)
    {
        if (job.Running.Loop != LoopKind.Auto)
            yield return $"--loop, {Driver}: the client has threads of its own, and no loop to choose";
        if (job.Running.Cpu is not null)
            yield return $"--cpu, {Driver}: the client goes on wherever the thread pool does, so none can be pinned";
        if (job.Running.Cluster == ClusterUse.Off)
        {
            yield return $"--cluster off, {Driver}: the client asks the server itself whether it is a cluster, "
                + "and cannot be told otherwise";
        }

        if (job.Running.ReadFrom != ReadPreference.Primary)
            yield return $"--read-from, {Driver}: replicas are read by the raw lane only";

        foreach (var operation in job.Phases.SelectMany(phase => phase.Mix.Operations).DistinctBy(one => one.Name))
        {
            var commands = operation.Command.Shapes.Select(shape => new ClientCommand(shape.Name, shape.Keys));
            if (ClientCommand.Problem([.. commands]) is { } problem)
                yield return $"{operation.Command.Text}, {Driver}: {problem}";
        }
    }
}
