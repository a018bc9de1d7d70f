using System.Collections.Concurrent;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Psync;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>
/// One shard of a source, read as its replica reads it. A lost source is gone on with from where it was; where it
/// cannot go on, the run ends.
/// </summary>
internal sealed class ReplicaReader(string name, Func<RedisEndpoint> place, SourceOptions options) : ISyncReader
{
    private const string Connecting = "hand shaking";
    private const string Streaming = "syncing aof";
    private const int EnoughBytes = 64 << 10;
    private const int MostAbove = 8;

    // Servers send a PING every ten seconds, unless set otherwise.
    private static readonly TimeSpan LongSilence = TimeSpan.FromSeconds(25);

    // For what is on its way when the run is to end: as long as something comes, it is waited for.
    private static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(100);

    private readonly Reconnection _reconnection = new(options.LostLimit);
    private readonly SyncBatch _batch = new();
    // The offsets behind data that was passed on and of which the source has not been told yet.
    private readonly ConcurrentQueue<long> _passed = new();
    private long _lastPassed;
    private long _acknowledged;
    private volatile ReplicationLink? _link;
    // How far the source was when the run was to end, and when it was asked.
    private (long Offset, long AskedNs)? _due;
    private string? _unread;
    private RdbReader? _reader;
    private DataSetStream? _dataSet;
    private volatile string _status = Connecting;
    private volatile bool _hasDataSet;
    private long _readOffset;
    // At which offset the link's first byte stands, or would stand, as the data set comes before the stream.
    private long _linkOffset;
    // Of a command that has come in part: its bytes, and when the first came.
    private int _held;
    private long _heldNs;
    private StreamPosition _known = StreamPosition.None;
    // Where the stream was begun to be read.
    private long _firstOffset;

    public string Name => name;

    public int Shard => options.Shard;

    public void GoOnFrom(StreamPosition position) => _known = position;

    public bool HasBegun => _link is not null;

    // Up to whose offset it was read at the end: the server that is read, or the primary above it. Null before that.
    public RedisEndpoint? Primary { get; private set; }

    public ReaderProgress Progress
    {
        get
        {
            var (link, reader, data) = (_link, _reader, _dataSet);
            var (read, held) = (Volatile.Read(ref _readOffset), Volatile.Read(ref _held));
            // Counted where bytes arrive: between its buffers the reader has some that neither of them tells of.
            var received = _status == Streaming && link is not null ? _linkOffset + link.Received : read;
            double? share = !_hasDataSet && data?.Size is > 0 and var size ? (reader?.Offset ?? 0.0) / size : null;
            return new(_status, share)
            {
                OldestNs = held > 0 ? Volatile.Read(ref _heldNs)
                    : _hasDataSet && link is { Waiting: > 0 } ? link.NextReceivedNs : 0,
                Fields = new Dictionary<string, object>
                {
                    ["address"] = name,
                    ["dir"] = options.Replication.Spool.Folder,
                    ["status"] = _status,
                    ["rdb_file_size_bytes"] = data?.Size ?? 0,
                    ["rdb_received_bytes"] = _hasDataSet
                        // Without the mark behind it.
                        ? reader?.Offset ?? 0
                        : (data?.Done ?? 0) + (link?.Waiting ?? 0),
                    ["rdb_sent_bytes"] = reader?.Offset ?? 0,
                    ["aof_received_offset"] = _hasDataSet ? received : 0,
                    ["aof_sent_offset"] = read,
                    ["aof_received_bytes"] =
                        _hasDataSet && link is not null ? Math.Max(0, received - link.Start.Position.Offset) : 0,
                    ["spool_disk_bytes"] = link?.OnDisk ?? 0,
                    ["spool_disk_bytes_max"] = link?.MostOnDisk ?? 0,
                },
            };
        }
    }

    public string? Missing => !_hasDataSet ? $"The data set of {name} was not read to its end."
        : _status == Connecting ? $"{name} was not connected at the end: what it wrote since was not read."
        : _unread is not null ? _unread
        : IsSilent ? $"{name} has sent nothing for {_link?.Silence.TotalSeconds:0} s: what it wrote since was not read."
        : null;

    // At the end it has been asked.
    private bool IsSilent => options.ReadsStream && _due is null && _link is { Silence: var silence }
        && silence > LongSilence;

    public void Read(ISyncSink sink, IStopToken stop)
    {
        var stream = new CommandStream(_batch);
        ReplicationPosition? from = null;
        if (!_known.IsNone)
        {
            from = new(_known.ReplicationId, _known.Offset);
            _firstOffset = _known.Offset;
            stream.StartAt(_known.Offset, _known.Database);
            _hasDataSet = true;
            Volatile.Write(ref _readOffset, stream.Offset);
            sink.Note(
                "resumed", $"{name}: goes on behind offset {_known.Offset}, as the checkpoint at the target says");
        }

        while (true)
        {
            using var link = Open(from, sink, stop);
            _batch.ReplicationId = link.Start.Position.ReplicationId;
            try
            {
                if (link.Start.IsFull)
                {
                    RequireFirst(from);
                    ReadDataSet(link, stream, sink, stop.Cancellation);
                    if (!options.ReadsStream)
                        return;
                }
                else if (link.Start.Position.Offset != stream.SettledOffset)
                {
                    // No data stands between the two; what comes first says in which database it is.
                    stream.StartAt(link.Start.Position.Offset, stream.SettledDatabase);
                    sink.Pass(_batch);
                }

                ReadStream(link, stream, sink, stop);
            }
            catch (RedisException loss) when (loss.IsTransient && !_hasDataSet)
            {
                // Nobody can go on within one.
                throw new TargetLostException(
                    $"The source {name} was lost within its data set, after {_reader?.Offset ?? 0:N0} bytes of it: "
                        + $"{loss.Message}. A source closes the link, too, where more waits there than its "
                        + $"client-output-buffer-limit allows a replica. {SyncRun.BeginsAnew}",
                    loss);
            }
            catch (RedisException loss) when (loss.IsTransient)
            {
                sink.Note("disconnected", $"{name}: {loss.Message}");
                from = GoOnFrom(link, stream, sink);
            }
        }
    }

    public void Dispose()
    {
    }

    // Everything whole that had come is passed on; what is left of a transaction comes again.
    private ReplicationPosition GoOnFrom(ReplicationLink link, CommandStream stream, ISyncSink sink)
    {
        stream.StartAt(stream.SettledOffset, stream.SettledDatabase);
        NotePassed(stream);
        sink.Pass(_batch);
        _status = Connecting;
        return new(link.Start.Position.ReplicationId, stream.SettledOffset)
        {
            DataOffset = Math.Max(stream.DataOffset, _firstOffset),
        };
    }

    private ReplicationLink Open(ReplicationPosition? from, ISyncSink sink, IStopToken stop)
    {
        try
        {
            if (!_reconnection.TryReach(Open, stop.Cancellation, out var opened, MayPass))
                throw new OperationCanceledException(stop.Cancellation);
            _link = opened;
            if (opened.Start is { IsFull: false, Position.Offset: var offset })
                sink.Note("reconnected", $"{name}: goes on behind offset {offset} at {opened.Endpoint.Address}");
            return opened;
        }
        catch (RedisException failure) when (_link is not null && from is { } lost)
        {
            throw new TargetLostException(
                $"The source {name} was lost at offset {lost.Offset} and did not come back: {failure.Message}",
                failure);
        }

        ReplicationLink Open()
        {
            var endpoint = place();
            var replication = options.Replication with
            {
                Command = options.PsyncCommands.GetValueOrDefault(endpoint.Address, options.Replication.Command),
            };
            // A source answers once it has begun to save, which may take minutes.
            return InterruptibleStep.Run(
                () => ReplicationLink.Open(
                    endpoint, options.Connection, replication, from,
                    () => options.Acknowledges ? ProgressAt(sink.AppliedOffset) : new(0, IsAll: true)),
                stop);
        }

        // A source that was never reached is refused at once, unless it says that it is not ready yet.
        bool MayPass(RedisException failure) =>
            _link is not null ? failure.MayPassAtReconnect : failure is RedisServerException { IsTransient: true };
    }

    // On the link's thread. A source's PING or GETACK behind the last data is no write, and WAIT would otherwise bring
    // about what it waits for.
    private ReplicaProgress ProgressAt(long applied)
    {
        if (!_hasDataSet)
            return new(0, IsAll: false);
        var isRead = _link is { Waiting: 0 } && Volatile.Read(ref _held) == 0;
        while (_passed.TryPeek(out var offset) && offset <= applied && _passed.TryDequeue(out _))
            _acknowledged = offset;
        return new(_acknowledged, isRead && _passed.IsEmpty);
    }

    private void NotePassed(CommandStream stream)
    {
        if (options.Acknowledges && stream.DataOffset != _lastPassed)
            _passed.Enqueue(_lastPassed = stream.DataOffset);
    }

    // A data set names what is there, not what no longer is: it is only for a target that has nothing yet.
    private void RequireFirst(ReplicationPosition? from)
    {
        if (from is { } position)
        {
            throw new TargetLostException(
                $"The source {name} cannot go on behind offset {position.Offset}, up to which everything was passed "
                + $"on: it would send its whole data set again. {SyncRun.BeginsAnew}");
        }
    }

    private void ReadDataSet(ReplicationLink link, CommandStream stream, ISyncSink sink, CancellationToken stop)
    {
        _status = "waiting bgsave";
        using var data = link.OpenDataSet(stop);
        _dataSet = data;
        _reader = new RdbReader(data, options.BigValue);
        var reading = new DataSetReading(sink, _batch, options);
        _status = "syncing rdb";
        reading.Read(_reader, stop);
        var first = data.Finish(_reader.Unread);
        sink.Pass(_batch);
        sink.AwaitApplied();
        _firstOffset = link.Start.Position.Offset;
        stream.StartAt(_firstOffset, reading.StreamDatabase);
        sink.Pass(_batch);
        Volatile.Write(ref _readOffset, stream.Offset);
        _hasDataSet = true;
        stream.Buffer.Append(first);
    }

    private void ReadStream(ReplicationLink link, CommandStream stream, ISyncSink sink, IStopToken stop)
    {
        _linkOffset = stream.Offset + stream.Buffer.Unread.Length - link.Taken;
        _status = Streaming;
        // Of the next command's first byte, and of what was taken last.
        var (received, taken) = (MonotonicClock.NowNs(), MonotonicClock.NowNs());
        while (true)
        {
            if (options.IsReplaced())
                throw new RedisConnectionLostException($"Sentinels name another primary than {link.Endpoint.Address}");
            var passed = stream.SettledOffset;
            while (TryTake())
            {
                received = taken;
                if (_batch.IsFull(EnoughBytes))
                    Pass();
            }

            Volatile.Write(ref _readOffset, stream.Offset);
            Volatile.Write(ref _heldNs, received);
            Volatile.Write(ref _held, stream.Buffer.Unread.Length);
            var isOver = stop.IsRequested && IsOver(link, stream);
            var count = isOver ? 0 : link.Receive(stream.Buffer.GetSpace(), 0);
            if (count == 0)
            {
                // Nothing more is there: what is, goes at once. A batch of nothing tells how far the source is.
                if (!stream.IsInTransaction && (!_batch.IsEmpty || stream.SettledOffset != passed))
                    Pass();
                if (isOver)
                    throw new OperationCanceledException(stop.Cancellation);
                count = Await(link, stream, stop);
                // Whoever waits for nothing finds out here that the run has failed elsewhere.
                if (count == 0 && !stream.IsInTransaction)
                    sink.Pass(_batch);
            }

            if (count == 0)
                continue;
            taken = link.LastReceivedNs;
            if (stream.Buffer.Unread.IsEmpty)
                received = taken;
            stream.Buffer.Advance(count);
        }

        void Pass()
        {
            NotePassed(stream);
            sink.Pass(_batch);
        }

        bool TryTake()
        {
            if (_batch.IsEmpty)
                _batch.ReceivedNs = received;
            return stream.TryTake();
        }
    }

    private static int Await(ReplicationLink link, CommandStream stream, IStopToken stop)
    {
        try
        {
            return stop.IsRequested
                ? link.Receive(stream.Buffer.GetSpace(), TimestampSpan.FromNow(Moment))
                : link.Receive(
                    stream.Buffer.GetSpace(), TimestampSpan.FromNow(TimeSpan.FromSeconds(1)), stop.Cancellation);
        }
        catch (OperationCanceledException)
        {
            return 0;
        }
    }

    // Whether all is read that the source had written when the run was to end, or no more of it comes.
    private bool IsOver(ReplicationLink link, CommandStream stream)
    {
        try
        {
            _due ??= (OffsetOf(AskPrimary(link.Endpoint)), MonotonicClock.NowNs());
        }
        catch (RedisException problem)
        {
            var read = link.Endpoint;
            var asked = Primary is { } above && above != read
                ? $"{above.Address}, the primary of {read.Address},"
                : read.Address;
            _unread = $"{asked} could not be asked at the end how far it is ({problem.Message}): what it wrote last "
                + "may not have been read.";
            return true;
        }

        var (due, askedNs) = _due.Value;
        if (stream.SettledOffset >= due)
            return true;
        if (link.Waiting > 0 || link.Silence < LastPatience
            || MonotonicClock.NowNs() - askedNs < LastPatience.InNanoseconds)
        {
            return false;
        }

        _unread = $"{name} was {due - stream.SettledOffset:N0} bytes ahead of what was read when the run was stopped, "
            + $"and has sent nothing for {link.Silence.TotalSeconds:0} s.";
        return true;
    }

    private static long OffsetOf(ServerSnapshot source)
    {
        const string Offset = "master_repl_offset";
        return source.Fact(Offset) is not null
            ? source.Number(Offset)
            : throw new RedisServerException($"ERR INFO has no {Offset}");
    }

    // A replica may be behind, so what counts is how far its primary is.
    private ServerSnapshot AskPrimary(RedisEndpoint read)
    {
        Primary = read;
        var facts = Ask(read);
        for (var above = 0; facts.IsReplica; above++)
        {
            if (above == MostAbove)
                throw new RedisServerException("ERR it is a replica of replicas without end");
            var isGiven = above == 0 && options.PrefersReplica
                && options.Endpoint.Topology == EndpointTopology.Standalone;
            Primary = isGiven ? options.Endpoint : Primary.At(
                new HostAndPort(facts.Fact("master_host") ?? string.Empty, (int)facts.Number("master_port")));
            facts = Ask(Primary);
        }

        return facts;
    }

    private ServerSnapshot Ask(RedisEndpoint endpoint)
    {
        using var control = RedisConnection.Open(endpoint, options.Connection);
        return ServerSnapshot.Of(control, "replication");
    }
}
