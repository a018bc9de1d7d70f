using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

/// <summary>What the engine is told to do for a phase.</summary>
internal static class PhaseEngine
{
    /// <summary>The engine that carries a plan out.</summary>
    /// <exception cref="Redis.RedisException">A cluster gives no map.</exception>
    public static ILoadEngine Create(EnginePlan plan, DriverKind driver) => driver switch
    {
        DriverKind.StackExchange => new ClientEngine(plan),
        _ => new LoadEngine(plan),
    };

    /// <summary>The plan.</summary>
    /// <param name="phase">The phase.</param>
    /// <param name="targets">The servers; at least one.</param>
    /// <param name="running">How the process works.</param>
    /// <param name="isCluster">Whether they are nodes of a cluster.</param>
    /// <param name="readFrom">Where commands that only read are sent.</param>
    public static EnginePlan PlanOf(
        PhasePlan phase,
        IReadOnlyList<ResolvedTarget> targets,
        RunningOptions running,
        bool isCluster,
        ReadPreference readFrom)
    {
        var keys = new DrawnKeys
        {
            Space = phase.Space,
            Streams = [.. Enumerable.Repeat(phase.Keys, phase.Mix.Operations.Count)],
            Inserts = PhaseMix.InsertShare(phase.Mix) > 0 ? new InsertSequence(phase.Space) : null,
            Form = phase.Form,
            Size = phase.Size,
            Content = phase.Content,
            Seed = (ulong)phase.Options.Seed,
        };
        var timeout = phase.Options.CommandTimeout ?? targets[0].Endpoint.CommandTimeout
            ?? targets[0].Connection.CommandTimeout;
        return new EnginePlan
        {
            Endpoints = [.. targets.Select(target => target.Endpoint)],
            IsCluster = isCluster,
            ReadFrom = readFrom,
            Connection = targets[0].Connection with
            {
                ClientName = "redislatency-workload",
                CommandTimeout = timeout,
            },
            Mix = phase.Mix,
            Inputs = keys.Create,
            Inserts = keys.Inserts,
            HasEveryKeyOnce = phase.Keys.IsSequence,
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
            CommandTimeout = timeout,
            ReconnectLimit = running.ReconnectTimeout,
            Verify = phase.Options.Verify,
            Loop = running.Loop,
            FirstProcessor = running.Cpu,
            Seed = phase.Options.Seed,
        };
    }
}
