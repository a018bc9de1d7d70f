using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// Scans both ends, and compares each key that one of them names. What differs is asked for again, round by round, and
/// counts once it has been the same for as many as were asked for. How many wait for that is bounded.
/// </summary>
internal sealed class Verification(
    VerifiedEnd source, VerifiedEnd destination, KeyNames names, VerifyOptions options, double rate,
    DifferenceFile? file, IStopToken stop)
{
    private const int PageLength = 1_000;
    private const int MostWaiting = 20_000;
    private const int MostRemembered = 1 << 20;
    private const int RoundsToSettle = 3;

    private static readonly byte[] Count = "COUNT"u8.ToArray();
    private static readonly byte[] Start = "0"u8.ToArray();
    private static readonly byte[] Keyspace = "keyspace"u8.ToArray();

    private readonly KeyComparison _comparison = new(source, destination, options);
    private readonly RatePacer _pacer = new(rate);
    private readonly List<ComparedKey> _waiting = [];
    // A scan may name a key twice.
    private readonly HashSet<ulong> _told = [];

    public VerifyCounts Counts { get; } = new();

    public bool KeysOnly => options.KeysOnly;

    /// <exception cref="TargetLostException">A server was not back in time.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    /// <exception cref="RedisException">A server refuses.</exception>
    public void Run()
    {
        Counts.Total = source.Server.CountKeys() + destination.Server.CountKeys();
        Scan(source, KeyOfSource);
        Scan(destination, KeyOfDestination);
        file?.Flush();
    }

    private ComparedKey? KeyOfSource(KeyName name)
    {
        if (names.Passes(name) && names.AtDestination(name) is var there && IsOfSample(there))
            return new ComparedKey(name, there);
        Counts.Filtered++;
        return null;
    }

    // What the filters leave out of the source is nothing of this comparison.
    private ComparedKey? KeyOfDestination(KeyName name)
    {
        var origins = names.AtSource(name).ToList();
        var passing = origins.FindAll(names.Passes);
        if (IsOfSample(name) && (passing.Count > 0 || origins.Count == 0))
            return new ComparedKey(passing.FirstOrDefault(name), name) { Origins = passing };
        Counts.Filtered++;
        return null;
    }

    private bool IsOfSample(KeyName name) => StableHash.IsWithin(name.Key, options.Sample);

    private void Scan(VerifiedEnd end, Func<KeyName, ComparedKey?> choose)
    {
        foreach (var node in end.Scanned)
        {
            var keyspace = Await(() => node.Ask(0, "INFO", Keyspace));
            foreach (var (database, _) in TargetServer.DatabasesIn(ServerFacts.FieldsOf(keyspace.Text)))
                Scan(node, database, choose);
        }

        Settle();
    }

    private void Scan(EndNode node, int database, Func<KeyName, ComparedKey?> choose)
    {
        var (cursor, process) = (Start, node.Processes);
        var count = EndKey.Number(PageLength);
        var next = node.Ask(database, "SCAN", cursor, Count, count);
        while (true)
        {
            var page = Await(Again, next);
            if (process != node.Processes)
            {
                throw new TargetLostException(
                    $"{node.Name} was started again, or another took its place, while its keys were compared: where a "
                        + "scan is says nothing there. Compare again.");
            }

            cursor = page.Items[0].Content.ToArray();
            var isLast = cursor.AsSpan().SequenceEqual(Start);
            if (!isLast)
                next = Again();
            Compare(page.Items[1].Items, database, choose);
            if (isLast)
                return;
        }

        Task<RespValue> Again() => node.Ask(database, "SCAN", cursor, Count, count);
    }

    private void Compare(IReadOnlyList<RespValue> page, int database, Func<KeyName, ComparedKey?> choose)
    {
        stop.WaitUntilRequested(_pacer.Take(page.Count));
        var keys = new List<ComparedKey>(page.Count);
        foreach (var name in page)
        {
            if (!CheckpointKeys.Has(name.Content) && choose(new KeyName(database, name.Content.ToArray())) is { } key)
                keys.Add(key);
        }

        CompareAll(keys);
        _waiting.AddRange(keys.Where(key => !Take(key)));
        Counts.Read += page.Count;
        if (_waiting.Count >= MostWaiting)
            Settle();
    }

    private void CompareAll(IEnumerable<ComparedKey> keys)
    {
        foreach (var some in keys.Chunk(PageLength))
            Pump(Task.WhenAll(some.Select(_comparison.Compare)));
    }

    // True where it is known what becomes of it.
    private bool Take(ComparedKey key)
    {
        if (key.IsSettled)
        {
            Counts.CountEqual(key);
            return true;
        }

        if (key.Difference is { } difference && key.Stands >= options.Rounds)
        {
            Tell(key, difference);
            return true;
        }

        return false;
    }

    private void Tell(ComparedKey key, Difference difference)
    {
        if (_told.Count < MostRemembered
            && !_told.Add(StableHash.Of(key.Destination.Key) ^ (ulong)key.Destination.Database))
        {
            return;
        }

        Counts.CountDifference(key);
        file?.Write(key, difference);
    }

    private void Settle()
    {
        for (var round = 1; _waiting.Count > 0 && round < options.Rounds * RoundsToSettle; round++)
        {
            stop.WaitUntilRequested(options.Pause);
            stop.Cancellation.ThrowIfCancellationRequested();
            AwaitReplicas();
            source.BeginRound();
            destination.BeginRound();
            CompareAll(_waiting);
            _waiting.RemoveAll(Take);
        }

        _waiting.ForEach(Counts.CountRest);
        _waiting.Clear();
    }

    private void AwaitReplicas()
    {
        try
        {
            Counts.Behind = Math.Max(Counts.Behind, source.AwaitReplicas(stop));
        }
        catch (RedisException lost) when (lost.IsTransient)
        {
            // The next question waits for it.
        }
    }

    // What is refused ends the run; what is lost is asked again, of the server when it is back.
    private RespValue Await(Func<Task<RespValue>> ask, Task<RespValue>? asked = null)
    {
        while (true)
        {
            stop.Cancellation.ThrowIfCancellationRequested();
            asked ??= ask();
            try
            {
                Pump(asked);
                if (!asked.Result.IsError)
                    return asked.Result;
                var refusal = new RedisServerException(asked.Result.Text);
                if (!refusal.IsTransient)
                    throw refusal;
                stop.WaitUntilRequested(options.Pause);
            }
            catch (RedisException lost) when (lost.IsTransient)
            {
                // It opens anew, as long as patience lasts.
            }

            asked = null;
        }
    }

    private void Pump(Task work)
    {
        while (!work.IsCompleted)
        {
            stop.Cancellation.ThrowIfCancellationRequested();
            EndNode[] nodes = [.. source.Nodes, .. destination.Nodes];
            foreach (var node in nodes)
                node.Send();
            foreach (var node in nodes)
                node.Take();
        }

        work.GetAwaiter().GetResult();
    }
}
