using RedisLatency.Hosting.Targets;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Drawing;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Measuring.Inserts;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Measuring.Phases;

/// <summary>What the engine is told to do for a phase.</summary>
internal static class PhaseEngine
{
    /// <summary>The plan.</summary>
    /// <param name="phase">The phase.</param>
    /// <param name="targets">The servers; at least one.</param>
    /// <param name="running">How the process works.</param>
    /// <param name="isCluster">Whether they are nodes of a cluster.</param>
    public static EnginePlan PlanOf(
        PhasePlan phase, IReadOnlyList<ResolvedTarget> targets, RunningOptions running, bool isCluster)
    {
        var keys = new DrawnKeys
        {
            Space = phase.Space,
            Streams = [phase.Keys],
            Form = phase.Form,
            Size = phase.Size,
            Content = phase.Content,
            Seed = (ulong)phase.Options.Seed,
        };
        var inserts = phase.Mix.Operations.Any(operation => operation.KeyStream == PhaseMix.NewKeys)
            ? new InsertSequence(phase.Space)
            : null;
        return new EnginePlan
        {
            Endpoints = [.. targets.Select(target => target.Endpoint)],
            IsCluster = isCluster,
            Connection = targets[0].Connection with { ClientName = "redislatency-workload" },
            Mix = phase.Mix,
            Inputs = place => inserts is null ? keys.Create(place) : new InsertingInputs(keys, place, inserts),
            Threads = phase.Share.Threads,
            ConnectionsPerThread = phase.Share.PerThread,
            Pipeline = phase.InFlight,
            Rate = phase.Options.Rate,
            Arrival = phase.Options.Arrival.Kind,
            BurstSize = phase.Options.Arrival.BurstSize,
            Operations = phase.Operations,
            Duration = phase.Duration,
            WarmUp = phase.WarmUp,
            OnError = phase.Options.OnError,
            MaximumRetries = phase.Options.MaxRetries,
            CommandTimeout = targets[0].Connection.CommandTimeout,
            ReconnectLimit = running.ReconnectTimeout,
            Verify = phase.Options.Verify,
            Loop = running.Loop,
            FirstProcessor = running.Cpu,
            Seed = phase.Options.Seed,
        };
    }
}
