using System.Diagnostics;
using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>Reads what a target holds of sources, and says of a checkpoint that it is not exact any more.</summary>
/// <param name="target">The target, which is read here.</param>
/// <param name="stop">Ends the wait for slots that are moving.</param>
internal sealed class CheckpointStore(TargetServer target, IStopToken stop)
{
    private const string HashOf = "HGETALL";

    private readonly List<HeldHash> _read = ReadAll(target, stop);

    /// <summary>What the target has of one shard of a source.</summary>
    /// <param name="name">What the shard is called there.</param>
    /// <returns>Null where it has nothing.</returns>
    /// <exception cref="TargetLostException">What it has is not the whole of one copy.</exception>
    public Checkpoint? Find(string name)
    {
        var heads = _read.Where(hash => hash.Fields.ContainsKey(name))
            .Select(hash => (Hash: hash, Head: CheckpointHead.Parse(hash.Fields[name]))).ToList();
        if (heads.Count == 0)
            return null;
        if (_read.Find(hash => hash.Said is null) is { } silent)
        {
            throw new TargetLostException(
                $"{silent.Server} does not say what it has of slot {silent.Slot}, which may be moving. The same "
                    + "command goes on once it does.");
        }

        if (heads.Exists(one => one.Head is null))
            throw NotExact("is damaged");
        var (_, oldest) = heads.MinBy(one => one.Head!.Position.Offset);
        if (_read.Exists(hash => hash.Fields.GetValueOrDefault(CheckpointKeys.BrokenOf(name)) == oldest!.Generation))
            throw NotExact("is not exact any more");
        var without = _read.Select(hash => hash.Server).Distinct().Except(heads.Select(one => one.Hash.Server));
        if (without.FirstOrDefault() is { } server)
            throw NotExact($"is not at {server}, which may have lost what it had");
        if (heads.Exists(one => one.Head!.Generation != oldest!.Generation || one.Head.Plan != oldest.Plan))
            throw NotExact("is of several copies");

        var marks = new Dictionary<int, long>();
        foreach (var (field, text) in _read.SelectMany(hash => hash.Fields))
        {
            if (field.StartsWith($"{name}/", StringComparison.Ordinal)
                && int.TryParse(field.AsSpan(name.Length + 1), CultureInfo.InvariantCulture, out var group))
            {
                marks[group] = ShardCheckpoint.OffsetOf(text, oldest!.Generation);
            }
        }

        var all = heads.ConvertAll(one => ShardCheckpoint.OffsetOf(
            one.Hash.Fields.GetValueOrDefault(CheckpointKeys.MarkOf(name, ShardCheckpoint.AllGroups)),
            oldest!.Generation));
        // What all primaries did together cannot be done by one of them once more, where the others went on.
        var furthest = marks.Values.Concat(heads.Select(one => one.Head!.Position.Offset)).Max();
        if (all.Min() != all.Max() && furthest > all.Max())
            throw NotExact("is not the same at all of its servers");
        return new Checkpoint(oldest!, marks, all.Min());

        TargetLostException NotExact(string why) =>
            new($"The checkpoint of {name} at the target {target.Target.Name} {why}. {SyncRun.BeginsAnew}");
    }

    /// <summary>Under the tags of which slots heads of a shard are, of whatever copy.</summary>
    public IEnumerable<int> SlotsOf(string name) =>
        _read.Where(hash => hash.Fields.ContainsKey(name)).Select(hash => hash.Slot);

    /// <summary>Says that checkpoints are not exact any more, as another copy of the same data is made.</summary>
    /// <param name="names">What the shards are called.</param>
    /// <param name="histories">Whose changes they copied.</param>
    public void BreakThoseOf(IReadOnlyCollection<string> names, IReadOnlyCollection<string> histories)
    {
        var broken = _read.SelectMany(hash => hash.Fields)
            .Where(field => CheckpointHead.Parse(field.Value) is { } head
                && (names.Contains(field.Key) || histories.Contains(head.Position.ReplicationId)))
            .Select(field => (field.Key, CheckpointHead.Parse(field.Value)!.Generation)).Distinct().ToList();
        foreach (var (name, generation) in broken)
            Break(target, name, generation);
    }

    /// <summary>Says that a checkpoint is not exact any more.</summary>
    /// <exception cref="RedisException">The target cannot be told.</exception>
    public static void Break(TargetServer target, string name, string generation)
    {
        using var connection = OpenFirst(target);
        var answer = connection.Request("HSET", CheckpointKeys.Name, CheckpointKeys.BrokenOf(name), generation);
        if (answer.IsError)
            throw new RedisServerException(answer.Text);
    }

    /// <summary>Opens a connection to the server that has the first key.</summary>
    public static RedisConnection OpenFirst(TargetServer target)
    {
        using var map = target.IsCluster ? target.OpenMap() : null;
        var first = map?.Current.PrimaryOf(CheckpointKeys.Slot)?.Endpoint ?? target.Target.Endpoint;
        return (target.Target with { Endpoint = first }).OpenControl();
    }

    private static List<HeldHash> ReadAll(TargetServer target, IStopToken stop)
    {
        if (!target.IsCluster)
            return Read(target, target.Target.Endpoint, [(CheckpointKeys.Name, 0)], (_, _) => null);
        using var map = target.OpenMap()!;
        var hashes = new List<HeldHash>();
        foreach (var shard in map.Current.Shards)
        {
            var keys = shard.Ranges.SelectMany(range => Enumerable.Range(range.First, range.Last - range.First + 1))
                .Select(slot => (CheckpointKeys.OfSlot(slot), slot)).ToList();
            if (map.Current.ShardOf(CheckpointKeys.Slot) == shard)
                keys.Add((CheckpointKeys.Name, CheckpointKeys.Slot));
            hashes.AddRange(Read(
                target, shard.Primary.Endpoint, keys,
                (key, error) => AskAgain(target, map, shard.Primary, key, error, stop)));
        }

        return hashes;
    }

    // A key of a slot in the middle of its move may be at another server. Null where none of them says, for as long as
    // a reply may take.
    private static Dictionary<string, string>? AskAgain(
        TargetServer target, SlotMapSource map, ClusterNode owner, string key, string error, IStopToken stop)
    {
        var began = Stopwatch.GetTimestamp();
        var (asked, redirections, pauses) = (owner, (byte)0, 0);
        while (true)
        {
            var next = RequestRetry.After(ErrorReply.KindOf(error), ref redirections);
            if (next == NextStep.GiveUp)
                throw new RedisServerException(error);
            var isNamed = Redirection.TryParse(Encoding.UTF8.GetBytes(error), out var redirection);
            if (next == NextStep.Follow && isNamed)
            {
                asked = map.NodeOf(redirection, asked);
            }
            else if (Stopwatch.GetElapsedTime(began) >= target.Target.Connection.CommandTimeout
                || stop.WaitUntilRequested(RequestRetry.PauseAfter(pauses++)))
            {
                return null;
            }
            else
            {
                (asked, isNamed) = (owner, false);
            }

            using var connection = (target.Target with { Endpoint = asked.Endpoint }).OpenControl();
            if (isNamed && redirection.Kind == ErrorKind.Ask)
                connection.Request("ASKING");
            var reply = connection.Request(HashOf, key);
            if (!reply.IsError)
                return reply.Items.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1].Text);
            error = reply.Text;
        }
    }

    private static List<HeldHash> Read(
        TargetServer target, RedisEndpoint endpoint, List<(string Key, int Slot)> keys,
        Func<string, string, Dictionary<string, string>?> askAgain)
    {
        using var pipeline = RedisPipeline.Open(endpoint, target.Target.Connection);
        var requests = new RespWriter();
        foreach (var (key, _) in keys)
            requests.WriteRequest(HashOf, key);
        pipeline.Send(requests.Written, keys.Count);
        return keys.ConvertAll(one => new HeldHash(endpoint.Address, one.Slot, FieldsOf(one.Key)));

        Dictionary<string, string>? FieldsOf(string key)
        {
            var reply = pipeline.Await(HashOf);
            return reply.IsError ? askAgain(key, Encoding.UTF8.GetString(reply.Content)) : FieldsIn(reply);
        }
    }

    // As an array, or as a map.
    private static Dictionary<string, string> FieldsIn(RespCursor reply)
    {
        var fields = new Dictionary<string, string>();
        while (reply.MoveNext())
        {
            var name = Encoding.UTF8.GetString(reply.Content);
            fields[name] = reply.MoveNext() ? Encoding.UTF8.GetString(reply.Content) : string.Empty;
        }

        return fields;
    }

    // Fields are null where the server did not say for now.
    private sealed record HeldHash(string Server, int Slot, Dictionary<string, string>? Said)
    {
        public Dictionary<string, string> Fields { get; } = Said ?? [];
    }
}
