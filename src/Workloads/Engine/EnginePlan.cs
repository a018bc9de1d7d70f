using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Engine;

internal record EnginePlan
{
    // Where to connect; the connections of a thread take them in turn. At least one.
    public required IReadOnlyList<RedisEndpoint> Endpoints { get; init; }

    // Every thread then has its connections to each primary; in flight are no more than without.
    public bool IsCluster { get; init; }

    // Other than to the primary, every thread has its connections to each replica, too.
    public ReadPreference ReadFrom { get; init; }

    public RedisConnectionOptions Connection { get; init; } = new() { ClientName = "redislatency-workload" };

    // Keys come in a sequence that is to be whole: none may be left out while its server is away.
    public bool HasEveryKeyOnce { get; init; }

    public required OperationMix Mix { get; init; }

    public required Func<WorkerShare, CommandInputs> Inputs { get; init; }

    // What hands out the keys of operations that insert; null where none does.
    public InsertSequence? Inserts { get; init; }

    public int Threads { get; init; } = 1;

    public int ConnectionsPerThread { get; init; } = 50;

    // Connections of all threads, to one server.
    public int Connections => (Threads * ConnectionsPerThread) + ThreadsWithOneMore;

    // So many threads, the first, have one connection more, where they cannot share them evenly.
    public int ThreadsWithOneMore { get; init; }

    public MemberShare Member { get; init; } = MemberShare.Alone;

    // The first of this process's workers among those of all members.
    public int FirstWorker => Member.Index * Threads;

    public int AllWorkers => Member.Count * Threads;

    // Operations in turn have their turns on each connection, not across those of a thread.
    public bool HasTurnsEach { get; init; }

    public int ConnectionsOf(int worker) => ConnectionsPerThread + (worker < ThreadsWithOneMore ? 1 : 0);

    // Connections beside them that send nothing.
    public int IdleConnections { get; init; }

    // After how many requests a connection is closed and opened again; null for never.
    public int? ReconnectEvery { get; init; }

    // Operations in flight on a connection: sent together in a closed loop, at most in an open one.
    public int Pipeline { get; init; } = 1;

    // In a closed loop: whether the next ones on a connection wait until all of them were answered.
    public bool SendsInBatches { get; init; }

    // By which moments latencies are taken.
    public LatencyStamps Stamps { get; init; }

    // How many operations are due when, over all threads of this process; empty sends as fast as replies come.
    public IReadOnlyList<RateStep> Rate { get; init; } = [];

    public ArrivalChoice Arrival { get; init; } = ArrivalChoice.Uniform;

    // Measured operations of all threads together; null goes by Duration.
    public long? Operations { get; init; }

    // Those of all members, where each has a part of them; null where Operations are all there are.
    public long? AllOperations { get; init; }

    /// <summary>
    /// How many of them each connection sends, where <see cref="Operations"/> are shared out so; null where not.
    /// </summary>
    public long? OperationsEach { get; init; }

    // How long to measure; null goes by Operations, or on until it is stopped.
    public TimeSpan? Duration { get; init; }

    public TimeSpan WarmUp { get; init; }

    public ErrorPolicy OnError { get; init; }

    // How often an operation is sent again where OnError says so.
    public int MaximumRetries { get; init; } = 10;

    // How long a reply may take; its connection is then reopened: later ones cannot be told apart.
    public TimeSpan? CommandTimeout { get; init; }

    // How long replies are awaited after the last operation; what is missing then has timed out.
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(5);

    // How long a worker may be without any connection before the target is given up as lost.
    public TimeSpan ReconnectLimit { get; init; } = TimeSpan.FromSeconds(30);

    public bool Verify { get; init; }

    // The processor of the first thread, the others take the next ones; null pins none.
    public int? FirstProcessor { get; init; }

    // The seed of what the engine itself draws: Poisson times.
    public int Seed { get; init; } = 1;

    // Keys with tags of slots have those of one slot of each primary of a cluster.
    public bool HasTagOfEachPrimary { get; init; }

    // In a cluster, behind Sentinels, and where replicas are read.
    public bool IsRouted => IsCluster || ReadFrom != ReadPreference.Primary
        || Endpoints[0].Topology == EndpointTopology.Sentinel;

    public bool IsOpenLoop => Rate.Count > 0;

    // Whether what was sent may be sent again, and so stays until it is answered.
    public bool KeepsRequests => IsCluster || OnError == ErrorPolicy.Retry
        || Mix.Operations.Any(operation => operation.Command.Unprepared is not null);

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
