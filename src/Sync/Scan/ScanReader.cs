using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
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
    private readonly ScanOptions _options;
    private readonly RespWriter _requests = new();
    private readonly ScanValues _values;
    private readonly ScanLink _link;
    private readonly List<ChangedKey> _changed = [];
    // By databases; what is begun stays until it is copied, also over a lost connection.
    private readonly Queue<(int Database, byte[][] Keys)> _groups = new();
    private byte[][]? _chosen;
    private KeyChanges? _changes;
    private ScanPage? _page;
    // Before the first scan: from then on nobody looks for other servers.
    private OwnedSlots? _slots;
    private long _total;
    private volatile int _database;
    private string _cursor = "0";
    private volatile string _phase = Connecting;

    public ScanReader(
        ResolvedTarget target, TargetServer server, ScanOptions options, KeyUse use, TimeSpan patience)
    {
        (_target, _server, _options) = (target, server, options);
        _values = new ScanValues(server, use);
        _link = new ScanLink(target, _values, patience);
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
            ["need_update_count"] = _changes?.Waiting ?? 0,
        },
        OldestNs = _changes?.OldestNs ?? 0,
    };

    public bool HasBegun => _phase != Connecting;

    public string? Missing => _phase is not ("following" or "done") ? $"Not all keys of {Name} were read."
        : _changes is { IsBehind: true } changes
            ? $"{changes.Waiting:N0} changed keys of {Name} were not carried over."
        : null;

    public void Read(ISyncSink sink, IStopToken stop)
    {
        if (!_options.Follows)
        {
            Scan(sink, stop);
            _phase = "done";
            return;
        }

        using var changes = new KeyChanges(_target);
        (_changes, _link.Process) = (changes, changes.Process);
        // What was written since the server was first looked at, nobody was notified of.
        Scan(sink, stop);
        Follow(changes, sink, stop);
    }

    private void Follow(KeyChanges changes, ISyncSink sink, IStopToken stop)
    {
        while (!stop.IsRequested)
        {
            // Whoever waits for nothing finds out here that the run has failed elsewhere.
            _values.Pass(sink);
            changes.RequireAll();
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

        changes.EndLooking();
        if (changes.MayHaveBeenSilent)
        {
            sink.Note(
                SyncRecord.Doubt,
                $"Source {Name} carried out CONFIG SET: its notifications may have been off for a moment.");
        }

        // Nobody listens to a server that is new.
        LookForMoves(sink);
        stop.Cancellation.ThrowIfCancellationRequested();
    }

    private void Scan(ISyncSink sink, IStopToken stop)
    {
        _slots = AskSlots();
        List<(int Database, long Keys)> databases = [];
        _link.Use(sink, stop, pipeline => databases = TargetServer.DatabasesIn(AskInfo(pipeline, "keyspace")));
        databases.RemoveAll(one => !_options.Takes(one.Database));
        _total = databases.Sum(database => database.Keys);
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
        LookForMoves(sink);
    }

    private void LookForMoves(ISyncSink sink)
    {
        if (_server.IsCluster
            && !(_slots is { } before && AskSlots() is { } now && !now.HaveMovedSince(before)))
        {
            sink.Fault("Slots moved while they were scanned, or their server does not say: keys of theirs may not be "
                + "at the target.");
        }
    }

    private OwnedSlots? AskSlots() => _server.IsCluster && (Primary ?? _target) is var asked
        ? OwnedSlots.Ask(asked.Endpoint, asked.Connection)
        : null;

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
            _changes?.RequireAll();
            if (_changes is { Waiting: > 0 })
            {
                CopyChanged(pipeline, sink);
                Select(pipeline, database);
            }
        }
    }

    // It stays until all of it is copied, also over a lost connection.
    private ScanPage Choose(RedisPipeline pipeline, ScanPage page, ISyncSink sink)
    {
        if (_options.ChoosesTypes)
            page = page with { Keys = OfTypes(pipeline, page.Keys, sink) };
        _values.Came++;
        return page;
    }

    // One key after the other on one connection: what is read later is never older.
    private void CopyChanged(RedisPipeline pipeline, ISyncSink sink)
    {
        if (_groups.Count == 0)
        {
            _changes?.Take(_changed, MostChangedAtOnce);
            foreach (var group in _changed.GroupBy(key => key.Database))
            {
                if (_options.Takes(group.Key))
                    _groups.Enqueue((group.Key, [.. group.Select(key => Encoding.Latin1.GetBytes(key.Name))]));
            }

            _changed.Clear();
        }

        _values.ToldNs = _changes?.OldestNs ?? 0;
        while (_groups.TryPeek(out var group))
        {
            Select(pipeline, group.Database);
            _chosen ??= _options.ChoosesTypes ? OfTypes(pipeline, group.Keys, sink) : group.Keys;
            _values.Copy(pipeline, _chosen, group.Database, sink, deletes: true);
            _chosen = null;
            _groups.Dequeue();
        }

        _values.ToldNs = 0;
        _changes?.EndTaken();
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
        _requests.WriteRequest("SCAN", cursor, "COUNT", _options.Count.ToString(CultureInfo.InvariantCulture));
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
            // One that is gone is deleted where changes are followed.
            if (type == "none" || _options.Takes(type))
                chosen.Add(key);
            else if (_options.SkippedTypes.Count > 0)
                sink.Skip($"type {type}, as asked", key);
        }

        _values.Done += keys.Length - chosen.Count;
        return [.. chosen];
    }
}
