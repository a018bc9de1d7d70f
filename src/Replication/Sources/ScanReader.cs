using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Sync;
using RedisLatency.Replication.Targets;
using static RedisLatency.Replication.Sources.ScanReplies;

namespace RedisLatency.Replication.Sources;

/// <summary>
/// Copies a server's keys as they are when it comes to them: SCAN, and for each key the time it expires, how it was
/// used and its DUMP. The next page of SCAN is always asked for ahead of the values of this one.
/// </summary>
internal sealed class ScanReader : ISyncReader
{
    private const int MostChangedAtOnce = 1_000;
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    private readonly ResolvedTarget _target;
    private readonly TargetServer _server;
    private readonly ScanPlan _plan;
    private readonly TimeSpan _patience;
    private readonly RespWriter _requests = new();
    private readonly ScanValues _values;
    private readonly List<ChangedKey> _changed = [];
    private RedisPipeline? _pipeline;
    private KeyChanges? _changes;
    private string _process = string.Empty;
    private long _total;
    private volatile int _database;
    private string _cursor = "0";
    private volatile string _phase = "connecting";

    public ScanReader(ResolvedTarget target, TargetServer server, ScanPlan plan, TimeSpan patience)
    {
        (_target, _server, _plan, _patience) = (target, server, plan, patience);
        _values = new ScanValues(server, plan.Use);
    }

    public string Name => _target.Name;

    public Redis.Endpoints.RedisEndpoint? ReadFrom => _pipeline?.Endpoint;

    public ReaderProgress Progress => new(
        _phase, _total > 0 ? Math.Min(1, (double)_values.Done / _total) : null)
    {
        Fields = new Dictionary<string, object>
        {
            ["scan_finished"] = _phase == "done",
            ["scan_dbId"] = _database,
            ["scan_cursor"] = _cursor,
            ["scan_percent"] = _total > 0
                ? $"{Math.Min(100, 100.0 * _values.Done / _total):0.00}%".Replace(',', '.')
                : "0.00%",
            ["need_update_count"] = _changes?.Waiting ?? 0,
        },
        OldestNs = _changes?.OldestNs ?? 0,
    };

    public string? Missing => _phase is not ("following" or "done") ? $"Not all keys of {Name} were read."
        : _changes is { IsBehind: true } changes ? $"{changes.Waiting:N0} changed keys of {Name} were not carried over."
        : null;

    public void Read(ISyncSink sink, IStopToken stop)
    {
        if (!_plan.Follows)
        {
            ScanOnce(sink, stop);
            return;
        }

        using var changes = KeyChanges.Begin(_target, _plan.MostChanged, _patience);
        _changes = changes;
        try
        {
            // What was written since the server was first looked at, nobody was notified of.
            Scan(TargetServer.Read(_target), sink, stop);
            Follow(changes, sink, stop);
        }
        finally
        {
            changes.LookForSilent(isLast: true);
            if (changes.TakeMissed(isLast: true) is { } missed)
                sink.Fault($"What changed while changes were missed is not at the target ({missed}).");
            foreach (var doubt in changes.Doubts)
                sink.Note(SyncRecord.Doubt, $"Source {Name} carried out {doubt}");
        }
    }

    private void ScanOnce(ISyncSink sink, IStopToken stop)
    {
        using var silent = new SilentChanges(_target, isNotified: false);
        string? change = null;
        Look(isLast: false);
        Scan(TargetServer.Read(_target), sink, stop);
        Look(isLast: true);
        if (change is not null)
            sink.Fault($"What the target has may not be what the source had: while it was scanned, {change}.");

        void Look(bool isLast)
        {
            while (!Try(sink, _ => change = silent.Look(isLast)))
                Restore(sink, stop);
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
                sink.Note("rescan", $"source {Name}: {missed}; all keys are read again.");
                sink.Fault($"What was deleted while changes were missed may still be at the target ({missed}).");
                Scan(TargetServer.Read(_target), sink, stop);
            }

            _phase = "following";
            if (!Try(sink, pipeline => CopyChanged(pipeline, sink)))
                Restore(sink, stop);
            else
                changes.Await();
        }

        // What was told until then is carried over, as what a stream of commands has brought.
        changes.EndListening();
        while (changes.Waiting > 0)
        {
            if (!Try(sink, pipeline => CopyChanged(pipeline, sink)))
                Restore(sink, stop);
        }

        stop.Cancellation.ThrowIfCancellationRequested();
    }

    private void Scan(TargetServer server, ISyncSink sink, IStopToken stop)
    {
        var slots = AskSlots(sink, stop);
        var databases = server.Databases.Where(one => _plan.Takes(one.Database)).ToList();
        _total = databases.Sum(database => database.Keys);
        _values.Done = 0;
        foreach (var (database, _) in databases)
        {
            _database = database;
            _phase = "scanning";
            _cursor = "0";
            while (!Try(sink, pipeline => ReadDatabase(pipeline, database, sink, stop)))
                Restore(sink, stop);
        }

        _phase = "done";
        // What moves from here to a server that is further on, nobody comes to.
        if (AskSlots(sink, stop) is var later && (later.HaveMovedSince(slots) || later.MayHaveMovedSince(slots)))
            sink.Fault("Slots moved while they were scanned, and keys of theirs may not be at the target.");
    }

    private HeldSlots AskSlots(ISyncSink sink, IStopToken stop)
    {
        var slots = HeldSlots.None;
        while (_server.IsCluster && !Try(sink, Ask))
            Restore(sink, stop);
        return slots;

        void Ask(RedisPipeline pipeline)
        {
            _requests.Clear();
            _requests.WriteRequest("CLUSTER", "NODES");
            pipeline.Send(_requests.Written);
            slots = ScanPlace.SlotsOf(Require(Next(pipeline), "CLUSTER NODES").Content);
        }
    }

    public void Dispose() => _pipeline?.Dispose();

    private void ReadDatabase(RedisPipeline pipeline, int database, ISyncSink sink, IStopToken stop)
    {
        Select(pipeline, database);
        var next = AskPage(pipeline);
        while (next is { } page)
        {
            var isLast = page.Cursor == "0";
            if (_plan.ChoosesTypes)
                page = page with { Keys = OfTypes(pipeline, page.Keys, sink) };
            if (!isLast)
                SendPage(pipeline, page.Cursor);
            next = null;
            _values.Copy(
                pipeline, page.Keys, database, sink, whenAsked: isLast ? null : () => next = ReadPage(pipeline),
                stop: stop.Cancellation);
            _cursor = page.Cursor;
            if (!isLast && _changes is { Waiting: > 0 })
            {
                CopyChanged(pipeline, sink);
                Select(pipeline, database);
            }
        }
    }

    // One key after the other on one connection: what is read later is never older. What was taken stays until it is
    // copied, also over a lost connection.
    private void CopyChanged(RedisPipeline pipeline, ISyncSink sink)
    {
        if (_changed.Count == 0)
            _changes?.Take(_changed, MostChangedAtOnce);
        foreach (var group in _changed.GroupBy(key => key.Database))
        {
            if (_plan.Databases.Count > 0 && !_plan.Databases.Contains(group.Key))
                continue;
            Select(pipeline, group.Key);
            byte[][] keys = [.. group.Select(key => Encoding.Latin1.GetBytes(key.Name))];
            if (_plan.ChoosesTypes)
                keys = OfTypes(pipeline, keys, sink);
            _values.Copy(pipeline, keys, group.Key, sink, deletes: true);
        }

        _changed.Clear();
        _changes?.EndTaken();
    }

    private void Select(RedisPipeline pipeline, int database)
    {
        if (database != 0 || !_server.IsCluster)
            Ask(pipeline, "SELECT", database.ToString(CultureInfo.InvariantCulture));
    }

    // False where the connection is lost, or a replica takes another data set: the scan goes on with the cursor it has,
    // which is as good as before.
    private bool Try(ISyncSink sink, Action<RedisPipeline> work)
    {
        try
        {
            work(_pipeline ?? Open());
            return true;
        }
        catch (RedisException lost) when (lost is RedisConnectionLostException or RedisTimeoutException
            or RedisServerException { Code: "LOADING" or "MASTERDOWN" }
            or RedisConnectException { IsTransient: true })
        {
            sink.Note("disconnected", $"source {Name}: {lost.Message}");
            if (lost is RedisTimeoutException && _pipeline is not null)
                _values.AskLess(Name);
            _pipeline?.Dispose();
            _pipeline = null;
            return false;
        }
    }

    private void Restore(ISyncSink sink, IStopToken stop)
    {
        var since = MonotonicClock.NowNs();
        var backoff = new JitteredBackoff(limit: LongestPause);
        var process = _process;
        if (!backoff.TryUntilDone(Open, MayPass, stop.Cancellation, out _))
            stop.Cancellation.ThrowIfCancellationRequested();
        if (_process != process && _cursor != "0" && !_plan.Follows)
        {
            throw new TargetLostException(
                $"The source {Name} was started again, or another took its place: the cursor of a scan says nothing "
                    + "there. Begin again; --on-existing rewrite replaces what is at the target already.");
        }

        sink.Note("reconnected", $"source {Name}: the scan goes on at its cursor");

        bool MayPass(RedisException problem) => problem.MayPassAtReconnect
            && MonotonicClock.NowNs() - since < _patience.InNanoseconds;
    }

    private RedisPipeline Open()
    {
        _pipeline = RedisPipeline.Open(_target.Endpoint with { Database = 0 }, _target.Connection with
        {
            ClientName = "redislatency-scan",
            ReplyLimits = RespLimits.Default,
        });
        // Its clock against ours: a time to live that is left becomes a time by the source's clock.
        var (before, sentNs) = (UnixTime.NowMs(), MonotonicClock.NowNs());
        _requests.Clear();
        _requests.WriteRequest("TIME");
        _pipeline.Send(_requests.Written);
        var time = Next(_pipeline);
        _values.RoundTrip = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - sentNs);
        time.MoveNext();
        var aheadMs = (Number(time.Content) * 1000) - ((before + UnixTime.NowMs()) / 2);
        time.MoveNext();
        _values.ClockAheadMs = aheadMs + (Number(time.Content) / 1000);
        _requests.Clear();
        _requests.WriteRequest("INFO", "server");
        _pipeline.Send(_requests.Written);
        _process = ScanPlace.ProcessOf(Require(Next(_pipeline), "INFO").Content);
        // A server that loads its data answers all but this.
        Ask(_pipeline, "SCAN", "0", "COUNT", "1");
        return _pipeline;
    }

    private ScanPage? AskPage(RedisPipeline pipeline)
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
        var chosen = new List<byte[]>(keys.Length);
        foreach (var key in keys)
        {
            var type = System.Text.Encoding.ASCII.GetString(Require(Next(pipeline), "TYPE").Content);
            if (_plan.Takes(type) || (_changes is not null && type == "none"))
                chosen.Add(key);
            else if (_plan.SkippedTypes.Count > 0 && type != "none")
                sink.Skip($"type {type}, as asked", key);
        }

        _values.Done += keys.Length - chosen.Count;
        return [.. chosen];
    }
}
