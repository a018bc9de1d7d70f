using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Engine;

internal record EnginePlan
{
    /// <summary>Where to connect; the connections of a thread take them in turn. At least one.</summary>
    public required IReadOnlyList<RedisEndpoint> Endpoints { get; init; }

    /// <summary>Every thread then has its connections to each primary; in flight are no more than without.</summary>
    public bool IsCluster { get; init; }

    /// <summary>Other than to the primary, every thread has its connections to each replica, too.</summary>
    public ReadPreference ReadFrom { get; init; }

    public RedisConnectionOptions Connection { get; init; } = new() { ClientName = "redislatency-workload" };

    /// <summary>Keys come in a sequence that is to be whole: none may be left out while its server is away.</summary>
    public bool HasEveryKeyOnce { get; init; }

    public required OperationMix Mix { get; init; }

    public required Func<WorkerPlace, CommandInputs> Inputs { get; init; }

    /// <summary>What hands out the keys of operations that insert; null where none does.</summary>
    public InsertSequence? Inserts { get; init; }

    public int Threads { get; init; } = 1;

    public int ConnectionsPerThread { get; init; } = 50;

    /// <summary>Connections of all threads, to one server.</summary>
    public int Connections => Threads * ConnectionsPerThread;

    /// <summary>Connections beside them that send nothing.</summary>
    public int IdleConnections { get; init; }

    /// <summary>After how many requests a connection is closed and opened again; null for never.</summary>
    public int? ReconnectEvery { get; init; }

    /// <summary>Operations in flight on a connection: sent together in a closed loop, at most in an open one.</summary>
    public int Pipeline { get; init; } = 1;

    /// <summary>In a closed loop: whether the next ones on a connection wait until all of them were answered.</summary>
    public bool SendsInBatches { get; init; }

    /// <summary>By which moments latencies are taken.</summary>
    public LatencyStamps Stamps { get; init; }

    /// <summary>Whether it is kept what each connection did by itself; not where servers are several.</summary>
    public bool KeepsClients { get; init; }

    /// <summary>How many operations are due when, over all threads; empty sends as fast as replies come.</summary>
    public IReadOnlyList<RateStep> Rate { get; init; } = [];

    public ArrivalChoice Arrival { get; init; } = ArrivalChoice.Uniform;

    /// <summary>Measured operations of all threads together; null goes by <see cref="Duration"/>.</summary>
    public long? Operations { get; init; }

    /// <summary>
    /// How many of them each connection sends, where <see cref="Operations"/> are shared out so; null where not.
    /// </summary>
    public long? OperationsEach { get; init; }

    /// <summary>How long to measure; null goes by <see cref="Operations"/>, or on until it is stopped.</summary>
    public TimeSpan? Duration { get; init; }

    public TimeSpan WarmUp { get; init; }

    public ErrorPolicy OnError { get; init; }

    /// <summary>How often an operation is sent again where <see cref="OnError"/> says so.</summary>
    public int MaximumRetries { get; init; } = 10;

    /// <summary>How long a reply may take; its connection is then reopened: later ones cannot be told apart.</summary>
    public TimeSpan? CommandTimeout { get; init; }

    /// <summary>How long replies are awaited after the last operation; what is missing then has timed out.</summary>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a worker may be without any connection before the target is given up as lost.</summary>
    public TimeSpan ReconnectLimit { get; init; } = TimeSpan.FromSeconds(30);

    public bool Verify { get; init; }

    public LoopKind Loop { get; init; }

    /// <summary>The processor of the first thread, the others take the next ones; null pins none.</summary>
    public int? FirstProcessor { get; init; }

    /// <summary>The seed of what the engine itself draws: Poisson times.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>In a cluster, behind Sentinels, and where replicas are read.</summary>
    public bool IsRouted => IsCluster || ReadFrom != ReadPreference.Primary
        || Endpoints[0].Topology == EndpointTopology.Sentinel;

    public bool IsOpenLoop => Rate.Count > 0;

    internal void Check()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(Endpoints.Count, 1, nameof(Endpoints));
        if (Endpoints.Count > 1 && (ReadFrom != ReadPreference.Primary
            || Endpoints.Any(endpoint => endpoint.Topology == EndpointTopology.Sentinel)))
            throw new ArgumentException("Sentinels and replicas need one endpoint, that of their primary.");
        ArgumentOutOfRangeException.ThrowIfLessThan(Threads, 1, nameof(Threads));
        ArgumentOutOfRangeException.ThrowIfLessThan(ConnectionsPerThread, 1, nameof(ConnectionsPerThread));
        ArgumentOutOfRangeException.ThrowIfLessThan(Pipeline, 1, nameof(Pipeline));
        ArgumentOutOfRangeException.ThrowIfLessThan(Arrival.BurstSize, 1, nameof(Arrival));
        ArgumentOutOfRangeException.ThrowIfNegative(Operations ?? 0, nameof(Operations));
        if (OperationsEach is { } each && each * Connections != Operations)
            throw new ArgumentException("What each connection sends is not what all of them do.", nameof(Operations));
        ArgumentOutOfRangeException.ThrowIfNegative(MaximumRetries, nameof(MaximumRetries));
        if (Mix.Operations.FirstOrDefault(operation =>
            operation.KeyStream == DrawnKeys.InsertStream && operation.Command.HasFurtherKeys) is { } several)
        {
            throw new ArgumentException(
                $"{several.Name} inserts several keys: only the first would be known to be there.", nameof(Mix));
        }
    }
}

/// <summary>By which moments latencies of a closed loop are taken.</summary>
internal enum LatencyStamps
{
    /// <summary>From when an operation was handed to the kernel until its own reply was there.</summary>
    Own,

    /// <summary>As memtier_benchmark: from when the pipeline of its connection began to be filled.</summary>
    OfFill,

    /// <summary>As redis-benchmark: until the first reply to any of its batch.</summary>
    OfBatch,
}

internal enum ReadPreference
{
    Primary,

    /// <summary>The replicas in turn; the primary only while none of them is up.</summary>
    Replica,

    Any,
}

/// <summary>Which worker of how many, from 0, and its measured operations; null where the time decides.</summary>
internal readonly record struct WorkerPlace(int Worker, int Workers, long? Operations = null, int Connections = 1)
{
    /// <summary>As many as the partitioned keys of that worker, where those are the whole.</summary>
    public static long Share(long whole, int worker, int workers) =>
        (long)(((Int128)whole * (worker + 1) / workers) - ((Int128)whole * worker / workers));
}
