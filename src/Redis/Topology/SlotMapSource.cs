using System.Diagnostics;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Keeps the slot map of a cluster: it asks any server of it that answers, on a thread of its own, when somebody finds
/// the map wrong. However many find the same map wrong, the cluster is asked once. A primary with its replicas is kept
/// in the same way, as one shard that has all slots. Thread safe; reading the map and doubting it never wait.
/// </summary>
public sealed class SlotMapSource : IDisposable
{
    private const int MostChanges = 1000;

    private readonly ISlotMapQuestion _question;
    private readonly ClusterNodes _nodes;
    private readonly TimeSpan _leastInterval;
    private readonly AutoResetEvent _doubted = new(false);
    private readonly CancellationTokenSource _stopped = new();
    private readonly Lock _gate = new();
    private readonly Thread _thread;
    private TaskCompletionSource _renewed = NewSignal();
    private volatile SlotMap _current;
    private volatile ClusterNode? _witness;
    private volatile RedisException? _lastError;
    private volatile Promotion[] _changes = [];
    private long _doubtedVersion = -1;
    private long _failures;

    private SlotMapSource(ISlotMapQuestion question, ClusterNodes nodes, TimeSpan leastInterval)
    {
        _question = question;
        _nodes = nodes;
        _leastInterval = leastInterval;
        _current = question.Ask(null, version: 0);
        _thread = new Thread(Run) { IsBackground = true, Name = "redis-slot-map" };
        _thread.Start();
    }

    /// <summary>How long after a new map the next one is asked for at the earliest, where none is given.</summary>
    public static TimeSpan DefaultLeastInterval { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The newest map.</summary>
    public SlotMap Current => _current;

    /// <summary>Every server that was ever known, by number.</summary>
    public IReadOnlyList<ClusterNode> Nodes => _nodes.Known;

    /// <summary>How often a new map was got, the first one not counted.</summary>
    public long Refreshes => _current.Version;

    /// <summary>How often no server could be asked for a map.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Why the last attempt failed, or null where it did not.</summary>
    public RedisException? LastError => _lastError;

    /// <summary>The servers that became primaries since the first map, in order; the latest thousand of them.</summary>
    public IReadOnlyList<Promotion> Changes => _changes;

    /// <summary>Asks for the first map of a cluster.</summary>
    /// <param name="endpoint">A cluster's endpoint, or that of one of its servers.</param>
    /// <param name="options">How to connect; nothing longer than two seconds is spent on one server later.</param>
    /// <param name="leastInterval">
    /// How long after a new map the next one is asked for at the earliest; <see cref="DefaultLeastInterval"/> where
    /// none is given.
    /// </param>
    /// <exception cref="RedisException">None of the servers gives a map; the message says why of each.</exception>
    public static SlotMapSource Open(
        RedisEndpoint endpoint, RedisConnectionOptions? options = null, TimeSpan? leastInterval = null)
    {
        var nodes = new ClusterNodes(endpoint);
        foreach (var server in endpoint.Servers)
            nodes.Add(server);
        var question = new SlotMapQuestion(endpoint, nodes, options ?? new RedisConnectionOptions());
        return new SlotMapSource(question, nodes, leastInterval ?? DefaultLeastInterval);
    }

    /// <summary>
    /// Asks who the primary of a service is and which replicas follow it: one shard, whose map is renewed when
    /// Sentinels name another primary, too.
    /// </summary>
    /// <param name="endpoint">A service of Sentinels, or a primary or replica without them.</param>
    /// <param name="options">How to connect.</param>
    /// <param name="leastInterval">As for a cluster.</param>
    /// <exception cref="RedisException">There is no primary, or it does not say who its replicas are.</exception>
    public static SlotMapSource OpenReplicated(
        RedisEndpoint endpoint, RedisConnectionOptions? options = null, TimeSpan? leastInterval = null)
    {
        var nodes = new ClusterNodes(endpoint);
        SlotMapSource? source = null;
        var question = new ReplicasQuestion(
            endpoint, nodes, options ?? new RedisConnectionOptions(), () => Volatile.Read(ref source)?.DoubtCurrent());
        try
        {
            Volatile.Write(ref source, new SlotMapSource(question, nodes, leastInterval ?? DefaultLeastInterval));
        }
        catch
        {
            question.Dispose();
            throw;
        }

        // Nobody was told of a switch that came in between.
        if (question.IsSuperseded(source.Current))
            source.DoubtCurrent();
        return source;
    }

    /// <summary>
    /// Says that a map is wrong: MOVED came, or a server is lost. A newer map is asked for, unless there is one.
    /// </summary>
    /// <param name="map">The map that was used.</param>
    /// <param name="witness">The server that said so, which knows better and is asked first; or null.</param>
    public void Doubt(SlotMap map, ClusterNode? witness = null)
    {
        if (map.Version < _current.Version)
            return;
        var doubted = Volatile.Read(ref _doubtedVersion);
        while (doubted < map.Version)
        {
            var seen = Interlocked.CompareExchange(ref _doubtedVersion, map.Version, doubted);
            if (seen == doubted)
            {
                _witness = witness;
                _doubted.Set();
                return;
            }

            doubted = seen;
        }
    }

    /// <summary>
    /// The server that a MOVED or ASK points to; it may be one that no map has named yet. Does not allocate where it is
    /// known.
    /// </summary>
    /// <param name="redirection">A redirection with a place.</param>
    /// <param name="asked">The server that said it.</param>
    public ClusterNode NodeOf(in Redirection redirection, ClusterNode asked) =>
        _nodes.At(redirection.Host, redirection.Port, asked);

    /// <summary>Doubts a map and waits for a newer one.</summary>
    /// <returns>The newest map; still the same one where the limit has passed.</returns>
    public SlotMap Renew(SlotMap map, TimeSpan limit)
    {
        Doubt(map);
        return WaitForNewer(map, limit);
    }

    /// <summary>Waits for a map newer than another.</summary>
    /// <returns>The newest map; still the same one where the limit has passed.</returns>
    public SlotMap WaitForNewer(SlotMap map, TimeSpan limit)
    {
        Task renewed;
        lock (_gate)
        {
            if (_current.Version > map.Version)
                return _current;
            renewed = _renewed.Task;
        }

        renewed.Wait(limit);
        return _current;
    }

    /// <summary>Stops asking; the newest map stays, and may still be doubted.</summary>
    public void Dispose()
    {
        _stopped.Cancel();
        _doubted.Set();
        _thread.Join();
        _question.Dispose();
    }

    private void DoubtCurrent() => Doubt(_current);

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Run()
    {
        while (!_stopped.IsCancellationRequested)
        {
            if (Volatile.Read(ref _doubtedVersion) < _current.Version)
                _doubted.WaitOne();
            else if (new Reconnection().TryReach(Ask, _stopped.Token, out var map, MayPass))
                Take(map);
        }

        SlotMap Ask() => _question.Ask(_witness, _current.Version + 1);
    }

    private bool MayPass(RedisException problem)
    {
        _lastError = problem;
        Interlocked.Increment(ref _failures);
        return true;
    }

    private void Take(SlotMap map)
    {
        _lastError = null;
        _changes =
        [
            .. _changes.Concat(Promotion.Between(_current, map, Stopwatch.GetTimestamp())).TakeLast(MostChanges),
        ];
        TaskCompletionSource renewed;
        lock (_gate)
        {
            _current = map;
            (renewed, _renewed) = (_renewed, NewSignal());
        }

        renewed.SetResult();
        _stopped.Token.WaitHandle.WaitOne(_leastInterval);
    }
}

/// <summary>A server that was no primary has become one: a failover, or a server that was added.</summary>
/// <param name="Timestamp">When it was noticed, by <see cref="Stopwatch.GetTimestamp"/>.</param>
/// <param name="From">Who served the first of its slots before; null where nobody did.</param>
/// <param name="To">The new primary.</param>
public readonly record struct Promotion(long Timestamp, ClusterNode? From, ClusterNode To)
{
    internal static IEnumerable<Promotion> Between(SlotMap before, SlotMap after, long timestamp)
    {
        var primaries = before.Shards.Select(shard => shard.Primary).ToHashSet();
        return after.Shards.Where(shard => !primaries.Contains(shard.Primary)).Select(shard =>
            new Promotion(timestamp, before.PrimaryOf(shard.Ranges[0].First), shard.Primary));
    }
}
