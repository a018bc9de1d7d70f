using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Scan;

namespace RedisLatency.Sync.Sources;

/// <summary>
/// The readers of a source: one for a server, one for each shard of a cluster; each finds its server anew.
/// </summary>
internal sealed class SourceShards : IDisposable
{
    /// <summary>Why a run ends of which a source's slots moved.</summary>
    public const string MovedSlots =
        "Slots of the source moved: what was done to their keys may be at the target in another order, or not.";

    private const int MostAtOnce = 16;

    private static readonly TimeSpan LongestRenewal = TimeSpan.FromMilliseconds(500);

    private readonly SourceOptions _options;
    private readonly SlotMapSource? _map;
    private readonly List<ShardOfSlot> _shards = [];

    private SourceShards(SourceOptions options)
    {
        _options = options;
        if (options.Endpoint.Topology == EndpointTopology.Standalone)
        {
            Readers.Add(new ReplicaReader(options.Endpoint.Address, PlaceOfServer, options));
            return;
        }

        if (IsBehindSentinels)
        {
            _map = SlotMapSource.OpenReplicated(options.Endpoint, options.Connection);
            var service = new ShardOfSlot(this, slot: 0, _map.Current.Shards[0].Primary.Endpoint);
            _shards.Add(service);
            Readers.Add(new ReplicaReader(
                options.Endpoint.Address, service.Find, options with { IsReplaced = () => service.IsReplaced }));
            return;
        }

        _map = SlotMapSource.Open(options.Endpoint, options.Connection);
        foreach (var shard in _map.Current.Shards.Where(shard => shard.SlotCount > 0))
        {
            var found = new ShardOfSlot(this, shard.Ranges[0].First, shard.Primary.Endpoint);
            _shards.Add(found);
            Readers.Add(new ReplicaReader(
                shard.Primary.Endpoint.Address, found.Find, options with { Shard = shard.Ranges[0].First }));
        }
    }

    private bool IsBehindSentinels => _options.Endpoint.Topology == EndpointTopology.Sentinel;

    public List<ISyncReader> Readers { get; } = [];

    /// <exception cref="RunRefusedException">Slots of the cluster are nobody's.</exception>
    /// <exception cref="Redis.RedisException">It cannot be reached.</exception>
    public static SourceShards Open(SourceOptions options)
    {
        var shards = new SourceShards(options);
        if (shards._map?.Current is not { IsComplete: false } map)
            return shards;
        shards.Dispose();
        throw new RunRefusedException(
            $"The source {options.Endpoint.Address} is a cluster in which no server has slots "
            + $"{string.Join(' ', map.Missing)}.");
    }

    /// <summary>Asks at the end why what was read is not all, and whether that is certain; null where it is.</summary>
    public (string Text, bool IsCertain)? FindProblem()
    {
        if (IsBehindSentinels)
            return SentinelCheck.FindProblem(_options.Endpoint, _options.Connection, _shards[0].Found, "read");
        if (FindMovedSlots() is { } moved)
            return (moved, true);
        return AtOnce(_shards.Zip(Readers.Cast<ReplicaReader>()), FindSuccessor).FirstOrDefault(
            one => one is not null) is { } taken ? (taken, false) : null;
    }

    /// <summary>Which slots each reader's server had at the beginning; empty where it is no cluster.</summary>
    public string SlotRanges => string.Join('|', _shards.Select(shard => shard.Slots));

    // A shard that gives a slot away deletes its keys, and nobody reads of whoever has it then, if it is new.
    /// <summary>Says that slots are not where they were, or are on the move; null where they are.</summary>
    public string? FindMovedSlots()
    {
        if (IsBehindSentinels)
            return null;
        if (_map is { Current: var known } map)
            map.Renew(known, LongestRenewal);
        return AtOnce(_shards, shard => shard.HaveSlotsMoved()).Contains(true) ? MovedSlots : null;
    }

    private static string? FindSuccessor((ShardOfSlot Shard, ReplicaReader Reader) one) =>
        one.Reader.Primary is { } read && one.Shard.FindSuccessor(read) is { } successor
            ? $"At the end {successor.Address} had taken the place of {read.Address}: what was written to it since may "
                + "not be at the target."
            : null;

    // Each may be far away, and there may be many.
    private static TAnswer[] AtOnce<T, TAnswer>(IEnumerable<T> all, Func<T, TAnswer> ask)
    {
        var asked = all.ToArray();
        var answers = new TAnswer[asked.Length];
        var options = new ParallelOptions { MaxDegreeOfParallelism = MostAtOnce };
        Parallel.For(0, asked.Length, options, i => answers[i] = ask(asked[i]));
        return answers;
    }

    public void Dispose() => _map?.Dispose();

    private RedisEndpoint PlaceOfServer()
    {
        if (!_options.PrefersReplica)
            return _options.Endpoint;
        using var primary = RedisConnection.Open(_options.Endpoint, _options.Connection);
        var fields = ServerFacts.Read(primary).Fields;
        return fields.Where(field => field.Key.StartsWith("slave", StringComparison.Ordinal))
            .Select(field => ReplicaOf(field.Value)).OfType<HostAndPort>()
            .Select(address => _options.Endpoint.At(address)).FirstOrDefault() ?? primary.Endpoint;
    }

    // ip=127.0.0.1,port=6380,state=online,offset=1,lag=0; one like us has port 0.
    private static HostAndPort? ReplicaOf(string text)
    {
        var facts = text.Split(',').Select(fact => fact.Split('=', 2)).Where(fact => fact.Length == 2)
            .ToDictionary(fact => fact[0], fact => fact[1]);
        return facts.GetValueOrDefault("state") == "online" && facts.GetValueOrDefault("ip") is { } host
            && int.TryParse(facts.GetValueOrDefault("port"), CultureInfo.InvariantCulture, out var port) && port > 0
            ? new HostAndPort(host, port)
            : null;
    }

    private sealed class ShardOfSlot(SourceShards owner, int slot, RedisEndpoint primary)
    {
        private OwnedSlots? _slots =
            owner.IsBehindSentinels ? null : OwnedSlots.Ask(primary, owner._options.Connection);

        private readonly Lock _looking = new();
        private volatile RedisEndpoint _found = primary;
        private bool _isAskedAgain;

        // The primary of the server that is read.
        public RedisEndpoint Found => _found;

        public string Slots => _slots?.Slots ?? string.Empty;

        public bool IsReplaced => Primary != _found;

        // Since the last look at which they had not, as far as it says.
        public bool HaveSlotsMoved()
        {
            lock (_looking)
            {
                if (_slots is not { } before || Ask(Primary) is not { } now)
                    return false;
                var haveMoved = now.HaveMovedSince(before);
                _slots = haveMoved ? before : now;
                return haveMoved;
            }
        }

        public RedisEndpoint Find()
        {
            var map = owner._map ?? throw new InvalidOperationException("A server has no slots.");
            var known = map.Current;
            if (_isAskedAgain)
            {
                map.Doubt(known, known.PrimaryOf(slot));
                known = map.WaitForNewer(known, LongestRenewal);
            }

            _isAskedAgain = true;
            var shard = known.ShardOf(slot)
                ?? throw new RedisServerException($"CLUSTERDOWN no server of the source has slot {slot}");
            _found = shard.Primary.Endpoint;
            var node = owner._options.PrefersReplica && shard.Replicas.Count > 0 ? shard.Replicas[0] : shard.Primary;
            return node.Endpoint.SocketPath is null
                ? owner._options.Endpoint.At(new HostAndPort(node.Endpoint.Host, node.Endpoint.Port))
                : node.Endpoint;
        }

        // Who else holds the slots at the end, of which the primary that was read need not have heard yet.
        public RedisEndpoint? FindSuccessor(RedisEndpoint read)
        {
            var reader = Ask(read)?.Node;
            return owner._map?.Current.ShardOf(slot) is { } shard
                ? shard.Replicas.Prepend(shard.Primary).Select(node => node.Endpoint).FirstOrDefault(
                    one => Ask(one) is { Slots.Length: > 0 } held && held.Node == held.Owner
                        && held.Node != reader)
                : null;
        }

        private RedisEndpoint Primary =>
            owner._map?.Current.PrimaryOf(slot)?.Endpoint ?? _found;

        private OwnedSlots? Ask(RedisEndpoint server) => OwnedSlots.Ask(server, owner._options.Connection);
    }
}
