using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;
using static RedisLatency.Sync.Scan.ScanReplies;

namespace RedisLatency.Sync.Scan;

/// <summary>
/// Copies a server's keys as they are when it comes to them: SCAN, and for each key the time it expires, how it was
/// used and its DUMP. The next page of SCAN is always asked for ahead of the values of this one.
/// </summary>
internal sealed class ScanReader : ISyncReader
{
    private const int MostChangedAtOnce = 1_000;
    private const string Connecting = "connecting";

    private readonly ResolvedTarget _target;
    private readonly TargetServer _server;
    private readonly ScanPlan _plan;
    private readonly TimeSpan _patience;
    private readonly RespWriter _requests = new();
    private readonly ScanValues _values;
    private readonly ScanLink _link;
    private readonly List<ChangedKey> _changed = [];
    // By databases; what is begun stays until it is copied, also over a lost connection.
    private readonly Queue<(int Database, byte[][] Keys)> _groups = new();
    private byte[][]? _chosen;
    private ScanPage? _page;
    // Before the first scan: from then on nobody looks for other servers.
    private OwnedSlots? _slots;
    private long _total;
    private volatile int _database;
    private string _cursor = "0";
    private volatile string _phase = Connecting;

    public ScanReader(ResolvedTarget target, TargetServer server, ScanPlan plan, TimeSpan patience)
    {
        (_target, _server, _plan, _patience) = (target, server, plan, patience);
        _values = new ScanValues(server, plan.Use);
        _link = new ScanLink(target, _values, plan.Follows, patience);
    }

    // Of a replica that is read: it alone tells which slots are just moving.
    public ResolvedTarget? Primary { get; init; }

    public string Name => _target.Name;

    public Redis.Endpoints.RedisEndpoint? ReadFrom => _link.ReadFrom;

    public ReaderProgress Progress => new(
        _phase, _total > 0 ? Math.Min(1, (double)_values.Done / _total) : null)
    {
        Fields = new Dictionary<string, object>
        {
            ["scan_finished"] = _phase is "following" or "done",
            ["scan_dbId"] = _database,
            ["scan_cursor"] = _cursor,
            ["scan_percent"] = _total > 0
                ? $"{Math.Min(100, 100.0 * _values.Done / _total):0.00}%".Replace(',', '.')
                : "0.00%",
            ["need_update_count"] = _link.Changes?.Waiting ?? 0,
        },
        OldestNs = _link.Changes?.OldestNs ?? 0,
    };

    public bool HasBegun => _phase != Connecting;

    public string? Missing => _phase is not ("following" or "done") ? $"Not all keys of {Name} were read."
        : _link.Changes is { IsBehind: true } changes
            ? $"{changes.Waiting:N0} changed keys of {Name} were not carried over."
        : null;

    public void Read(ISyncSink sink, IStopToken stop)
    {
        if (!_plan.Follows)
        {
            Scan(sink, stop);
            _phase = "done";
            return;
        }

        using var changes = KeyChanges.Begin(_target, _plan.MostChanged, _patience);
        _link.Changes = changes;
        try
        {
            // What was written since the server was first looked at, nobody was notified of.
            Scan(sink, stop);
            Follow(changes, sink, stop);
        }
        finally
        {
            changes.FindSilent(isLast: true);
            if (changes.TakeMissed(isLast: true) is { } missed)
                sink.Fault($"What changed while changes were missed is not at the target ({missed}).");
            foreach (var doubt in changes.Doubts)
                sink.Note(SyncRecord.Doubt, $"Source {Name} carried out {doubt}");
        }
    }

    private void Follow(KeyChanges changes, ISyncSink sink, IStopToken stop)
    {
        while (!stop.IsRequested)
        {
            // Whoever waits for nothing finds out here that the run has failed elsewhere.
            _values.Pass(sink);
            if (changes.TakeMissed() is { } missed)
            {
                // Where the subscription is now.
                _link.Close();
                sink.Note("rescan", $"source {Name}: {missed}; all keys are read again.");
                sink.Fault($"What was deleted while changes were missed may still be at the target ({missed}).");
                Scan(sink, stop);
            }

            _phase = "following";
            if (!_link.Try(sink, pipeline => CopyChanged(pipeline, sink)))
                _link.Restore(sink, stop, mayFinish: true);
            else
                changes.Await();
        }

        // What was told until then is carried over, as what a stream of commands has brought.
        changes.EndListening();
        while (changes.Waiting > 0)
            _link.Use(sink, stop, pipeline => CopyChanged(pipeline, sink), mayFinish: true);

        // Nobody listens to a server that is new.
        LookForMoves(sink, stop);
        stop.Cancellation.ThrowIfCancellationRequested();
    }

    private void Scan(ISyncSink sink, IStopToken stop)
    {
        _slots ??= AskSlots(sink, stop);
        List<(int Database, long Keys)> databases = [];
        _link.Use(sink, stop, pipeline => databases = TargetServer.DatabasesIn(AskInfo(pipeline, "keyspace")));
        databases.RemoveAll(one => !_plan.Takes(one.Database));
        _total = databases.Sum(database => database.Keys);
        _values.Done = 0;
        foreach (var (database, _) in databases)
        {
            _database = database;
            _phase = "scanning";
            (_cursor, _page) = ("0", null);
            _link.Use(sink, stop, pipeline => ReadDatabase(pipeline, database, sink, stop));
        }

        // Where there was none.
        sink.Begin();
        // What moves from here to a server that is further on, nobody comes to.
        LookForMoves(sink, stop);
    }

    private void LookForMoves(ISyncSink sink, IStopToken stop)
    {
        if (_slots is { } before && AskSlots(sink, stop) is var later
            && (later.HaveMovedSince(before) || later.MayHaveMovedSince(before)))
        {
            sink.Fault("Slots moved while they were scanned, and keys of theirs may not be at the target.");
        }
    }

    private OwnedSlots AskSlots(ISyncSink sink, IStopToken stop)
    {
        var slots = OwnedSlots.None;
        if (_server.IsCluster && !AskPrimary())
            _link.Use(sink, stop, Ask, mayFinish: true);
        return slots;

        bool AskPrimary()
        {
            try
            {
                using var control = Primary?.OpenControl();
                if (control?.Request("CLUSTER", "NODES") is { IsError: false } nodes)
                    slots = ClusterNodesText.SlotsOf(nodes.Content);
            }
            catch (RedisException)
            {
                // What the replica knows has to do.
            }

            return slots != OwnedSlots.None;
        }

        void Ask(RedisPipeline pipeline)
        {
            _requests.Clear();
            _requests.WriteRequest("CLUSTER", "NODES");
            pipeline.Send(_requests.Written);
            slots = ClusterNodesText.SlotsOf(Require(pipeline, "CLUSTER NODES").Content);
        }
    }

    public void Dispose() => _link.Dispose();

    private void ReadDatabase(RedisPipeline pipeline, int database, ISyncSink sink, IStopToken stop)
    {
        stop.Cancellation.ThrowIfCancellationRequested();
        if (_groups.Count > 0)
            CopyChanged(pipeline, sink);
        Select(pipeline, database);
        ScanPage? next = null;
        while (true)
        {
            var page = _page ??= Choose(pipeline, next ?? AskPage(pipeline), sink);
            var isLast = page.Cursor == "0";
            if (!isLast)
                SendPage(pipeline, page.Cursor);
            next = null;
            _values.Copy(
                pipeline, page.Keys, database, sink, whenAsked: isLast ? null : () => next = ReadPage(pipeline),
                stop: stop.Cancellation);
            (_cursor, _page) = (page.Cursor, null);
            if (isLast)
                return;
            if (_link.Changes is { Waiting: > 0 })
            {
                CopyChanged(pipeline, sink);
                Select(pipeline, database);
            }
        }
    }

    // It stays until all of it is copied, also over a lost connection.
    private ScanPage Choose(RedisPipeline pipeline, ScanPage page, ISyncSink sink)
    {
        if (_plan.ChoosesTypes)
            page = page with { Keys = OfTypes(pipeline, page.Keys, sink) };
        _values.Came++;
        return page;
    }

    // One key after the other on one connection: what is read later is never older.
    private void CopyChanged(RedisPipeline pipeline, ISyncSink sink)
    {
        if (_groups.Count == 0)
        {
            _link.Changes?.Take(_changed, MostChangedAtOnce);
            foreach (var group in _changed.GroupBy(key => key.Database))
            {
                if (_plan.Databases.Count == 0 || _plan.Databases.Contains(group.Key))
                    _groups.Enqueue((group.Key, [.. group.Select(key => Encoding.Latin1.GetBytes(key.Name))]));
            }

            _changed.Clear();
        }

        _values.ToldNs = _link.Changes?.OldestNs ?? 0;
        while (_groups.TryPeek(out var group))
        {
            Select(pipeline, group.Database);
            _chosen ??= _plan.ChoosesTypes ? OfTypes(pipeline, group.Keys, sink) : group.Keys;
            _values.Copy(pipeline, _chosen, group.Database, sink, deletes: true);
            _chosen = null;
            _groups.Dequeue();
        }

        _values.ToldNs = 0;
        _link.Changes?.EndTaken();
    }

    private void Select(RedisPipeline pipeline, int database)
    {
        if (database != 0 || !_server.IsCluster)
            Ask(pipeline, "SELECT", database.ToString(CultureInfo.InvariantCulture));
    }

    private ScanPage AskPage(RedisPipeline pipeline)
    {
        SendPage(pipeline, _cursor);
        return ReadPage(pipeline);
    }

    private void SendPage(RedisPipeline pipeline, string cursor)
    {
        _requests.Clear();
        var count = _plan.Count.ToString(CultureInfo.InvariantCulture);
        if (_plan.Types.Count == 1 && _server.KnowsScanOfType)
            _requests.WriteRequest("SCAN", cursor, "COUNT", count, "TYPE", _plan.Types[0]);
        else
            _requests.WriteRequest("SCAN", cursor, "COUNT", count);
        pipeline.Send(_requests.Written);
    }

    private byte[][] OfTypes(RedisPipeline pipeline, byte[][] keys, ISyncSink sink)
    {
        _requests.Clear();
        foreach (var key in keys)
            WriteOf(_requests, "TYPE"u8, default, key);
        pipeline.Send(_requests.Written, keys.Length);
        var types = Array.ConvertAll(
            keys, _ => Encoding.ASCII.GetString(Require(pipeline, "TYPE").Content));
        var chosen = new List<byte[]>(keys.Length);
        foreach (var (key, type) in keys.Zip(types))
        {
            if (_plan.Takes(type) || (_link.Changes is not null && type == "none"))
                chosen.Add(key);
            else if (_plan.SkippedTypes.Count > 0 && type != "none")
                sink.Skip($"type {type}, as asked", key);
        }

        _values.Done += keys.Length - chosen.Count;
        return [.. chosen];
    }
}
