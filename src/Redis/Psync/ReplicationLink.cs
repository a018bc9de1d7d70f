using System.Diagnostics;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Psync;

/// <summary>
/// A source's data set and its stream, received as a replica would. A thread of its own takes what comes, whether
/// anybody reads it or not, and tells the source how far the target is: a source disconnects who is slow.
/// </summary>
public sealed class ReplicationLink : IDisposable
{
    private const int ReceiveSize = 256 << 10;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly RedisConnection _connection;
    private readonly ReplicationOptions _options;
    private readonly Func<ReplicaProgress> _progress;
    private readonly ByteSpool _spool;
    private readonly RespWriter _acknowledgement = new();
    private readonly Thread _thread;
    private volatile bool _isStopping;
    private volatile bool _hasDataSet;
    private long _acknowledgedAt;
    private long _acknowledged;
    private long _heardAt;
    private long _endedAt;

    private ReplicationLink(
        RedisConnection connection, ReplicationOptions options, Func<ReplicaProgress> progress, ReplicationStart start,
        byte[] rest)
    {
        (_connection, _options, _progress, Start) = (connection, options, progress, start);
        _spool = new ByteSpool(options.Spool);
        _heardAt = Stopwatch.GetTimestamp();
        _thread = new Thread(() => Drain(rest)) { IsBackground = true, Name = "replication-drain" };
        _thread.Start();
    }

    /// <summary>How the source answered.</summary>
    public ReplicationStart Start { get; }

    /// <summary>Bytes received since the answer, the data set's among them.</summary>
    public long Received => _spool.Received;

    /// <summary>How many of these were taken; for the thread that takes.</summary>
    public long Taken => _spool.Taken;

    /// <summary>Bytes that were received and wait to be read.</summary>
    public long Waiting => _spool.Waiting;

    /// <summary>Bytes that wait on the disk.</summary>
    public long OnDisk => _spool.OnDisk;

    /// <summary>The most that ever waited there.</summary>
    public long MostOnDisk => _spool.MostOnDisk;

    /// <summary>For how long the source has sent nothing, or had when this was disposed of.</summary>
    public TimeSpan Silence => Stopwatch.GetElapsedTime(
        Volatile.Read(ref _heardAt),
        Volatile.Read(ref _endedAt) is > 0 and var ended ? ended : Stopwatch.GetTimestamp());

    /// <summary>Whether memory and disk are full, so that the source is no longer read from.</summary>
    public bool IsFull { get; private set; }

    /// <summary>When the byte that is read next was received, in nanoseconds of the monotonic clock.</summary>
    /// <returns>Zero where none waits.</returns>
    public long NextReceivedNs => _spool.NextReceivedNs;

    /// <summary>When the first byte of what was taken last was received; for the thread that takes.</summary>
    public long LastReceivedNs => _spool.LastReceivedNs;

    /// <summary>The source, as it was reached.</summary>
    public RedisEndpoint Endpoint => _connection.Endpoint;

    /// <summary>Connects, logs in, and asks for everything or for what comes behind a position.</summary>
    /// <param name="endpoint">The source: one server, or the primary that Sentinels know.</param>
    /// <param name="connection">How to connect; RESP2 is spoken, as replicas do.</param>
    /// <param name="options">How to receive.</param>
    /// <param name="from">Where to go on; null asks for everything.</param>
    /// <param name="progress">
    /// How far the target is, of which the source is told a byte less: at once what is new, and what is not new only
    /// every few seconds as long as something waits for the target. Called on the link's thread.
    /// </param>
    /// <exception cref="RedisException">The source cannot be reached, refuses, or is not ready yet.</exception>
    public static ReplicationLink Open(
        RedisEndpoint endpoint, RedisConnectionOptions connection, ReplicationOptions options,
        ReplicationPosition? from, Func<ReplicaProgress> progress)
    {
        var opened = RedisConnection.Open(endpoint, connection with { Protocol = RespPreference.Resp2 });
        try
        {
            var start = ReplicationHandshake.Run(opened, options, from, out var rest);
            return new ReplicationLink(opened, options, progress, start, rest);
        }
        catch
        {
            opened.Dispose();
            throw;
        }
    }

    /// <summary>Takes bytes of the stream, in order: what is there, or what comes until then.</summary>
    /// <returns>How many; zero where none came.</returns>
    /// <exception cref="RedisException">Everything received was read, and nothing more will come.</exception>
    public int Receive(Span<byte> buffer, long untilTimestamp, CancellationToken stop = default) =>
        _spool.Read(buffer, untilTimestamp, stop);

    /// <summary>The data set that comes first after a full resynchronisation.</summary>
    public DataSetStream OpenDataSet(CancellationToken stop) => new(this, stop);

    /// <summary>The data set is here: what the source holds back until it hears of that may come.</summary>
    internal void NoteDataSet() => _hasDataSet = true;

    /// <inheritdoc/>
    public void Dispose()
    {
        _isStopping = true;
        _thread.Join();
        if (_endedAt == 0)
            Volatile.Write(ref _endedAt, Stopwatch.GetTimestamp());
        _connection.Dispose();
        _spool.Dispose();
    }

    private void Drain(byte[] rest)
    {
        var buffer = GC.AllocateUninitializedArray<byte>(ReceiveSize, pinned: true);
        try
        {
            Keep(rest);
            while (!_isStopping)
            {
                var count = _connection.Transport.Receive(buffer, TimestampSpan.FromNow(Patience));
                if (count > 0)
                {
                    _heardAt = Stopwatch.GetTimestamp();
                    Keep(buffer.AsSpan(0, count));
                }
                else if (Stopwatch.GetElapsedTime(_heardAt) > _options.SilenceLimit)
                {
                    throw ReplicationHandshake.Silent(_connection, _options.SilenceLimit);
                }

                AcknowledgeIfDue();
            }
        }
        catch (RedisException problem)
        {
            _spool.Complete(problem);
        }
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        while (!_isStopping)
        {
            bytes = bytes[_spool.Write(bytes)..];
            IsFull = !bytes.IsEmpty;
            if (!IsFull)
                return;
            AcknowledgeIfDue();
            _spool.WaitForRoom(Transport.Slice);
            // Who does not listen must not call the other silent.
            _heardAt = Stopwatch.GetTimestamp();
        }
    }

    private void AcknowledgeIfDue()
    {
        var silence = Stopwatch.GetElapsedTime(_acknowledgedAt);
        if (!_hasDataSet && silence < _options.AcknowledgeEvery)
            return;
        var progress = _progress();
        // Whoever looks at the source must be able to tell a target that has all from one that takes nothing.
        if (!_hasDataSet && !progress.IsAll && progress.Offset == _acknowledged && silence < _options.RepeatEvery)
            return;
        _hasDataSet = false;
        Acknowledge(progress.Offset);
    }

    // A source that sends its data set without its disk sends nothing behind it before it hears one of these: so they
    // are sent all the time, at first with zero, which claims nothing. Later it is a byte less than the target has: a
    // primary hands over to any replica that has all (FAILOVER), and WAIT counts it; this one is none.
    private void Acknowledge(long offset)
    {
        _acknowledgement.Clear();
        _acknowledgement.WriteArrayHeader(3);
        _acknowledgement.WriteBulkString("REPLCONF"u8);
        _acknowledgement.WriteBulkString("ACK"u8);
        _acknowledgement.WriteBulkString(Math.Max(offset - 1, 0));
        _connection.Transport.Send(_acknowledgement.Written);
        (_acknowledged, _acknowledgedAt) = (offset, Stopwatch.GetTimestamp());
    }
}
