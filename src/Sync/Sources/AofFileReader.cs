using System.Buffers.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>
/// An append-only file: one, or those that a manifest names; each begins perhaps with an RDB file. It ends at the first
/// command that is later than asked for, or where it was cut off.
/// </summary>
internal sealed class AofFileReader : ISyncReader
{
    /// <summary>The kind of event that tells of an end that is cut off.</summary>
    public const string Truncated = "truncated";

    private const int EnoughBytes = 256 << 10;
    private const int CheckedBytes = 4 << 10;

    private readonly SourceOptions _options;
    private readonly AofManifest _manifest;
    private readonly SyncBatch _batch = new();
    private readonly CommandStream _stream;
    // All from the start: a server that rewrites its file removes those that come later.
    private readonly List<FileStream> _files = [];
    private readonly List<long> _sizes;
    private readonly long _size;
    private long _done;
    private long _time;
    private long? _later;
    private long? _baseTime;
    private bool _hasCommands;
    private bool _hasUntimed;
    private bool _isBase;
    private string _current;
    private volatile string _status = "waiting";

    /// <exception cref="IOException">A file is missing, or may not be read.</exception>
    /// <exception cref="ConfigurationException">The manifest is damaged.</exception>
    public AofFileReader(string path, SourceOptions options)
    {
        (Name, _current, _options) = (path, path, options);
        using (var file = File.OpenRead(path))
        {
            if (!file.CanSeek)
                throw new ConfigurationException($"{path}: this is a pipe, which is not read: store it first");
        }

        try
        {
            _manifest = AofManifest.Open(path);
        }
        catch (RdbException problem)
        {
            throw new ConfigurationException($"{path}: {problem.Message}");
        }

        if (_manifest.Files.Count == 0)
            throw new ConfigurationException($"{path}: this manifest names no file to read");
        if (_manifest.Files.FirstOrDefault(file => !File.Exists(file)) is { } missing)
            throw new ConfigurationException($"{path} names {missing}, which is not there");
        foreach (var file in _manifest.Files)
            _files.Add(new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0));
        _sizes = _files.ConvertAll(file => file.Length);
        _size = _sizes.Sum();
        _stream = new CommandStream(_batch);
    }

    public string Name { get; }

    public ReaderProgress Progress
    {
        get
        {
            var share = _size == 0 ? 1 : (double)Volatile.Read(ref _done) / _size;
            return new(_status, share)
            {
                Fields = new Dictionary<string, object>
                {
                    ["aof_name"] = Path.GetFileName(_current),
                    ["aof_status"] = _status,
                    ["aof_file_path"] = _current,
                    ["aof_file_size_bytes"] = _size,
                    ["aof_file_sent_bytes"] = Volatile.Read(ref _done),
                    ["aof_percent"] = $"{100 * share:0.00}%",
                    ["aof_time_stamp"] = Volatile.Read(ref _time),
                },
            };
        }
    }

    public string? Missing => _status == "done" ? null : $"{Name} was not read to its end.";

    public void Read(ISyncSink sink, IStopToken stop)
    {
        for (var number = 0; number < _manifest.Files.Count; number++)
        {
            _current = _manifest.Files[number];
            _isBase = number == 0 && _manifest.HasBase;
            _status = "syncing aof";
            var file = _files[number];
            var head = HeadOf(file);
            if (!ReadFile(file, sink, stop.Cancellation))
                break;
            if (file.Length >= _sizes[number] && !HeadOf(file).AsSpan().StartsWith(head))
                sink.Fault($"{_current} was written anew meanwhile: what was read is partly of the one and the other.");
            if (file.Length < _sizes[number])
            {
                sink.Fault(
                    $"{_current} had {_sizes[number]:N0} bytes, and has {file.Length:N0}: it was cut off meanwhile.");
            }

            EndFile(sink, isLast: number == _manifest.Files.Count - 1);
        }

        if (_stream.IsInTransaction)
        {
            _batch.AbandonTransaction();
            sink.Note(Truncated, $"{_current} ends within a transaction: what there is of it is left out.");
        }

        sink.Pass(_batch);
        if (_options.Until is { } until)
            CompareTimes(sink, until);
        sink.AwaitApplied();
        _status = "done";
    }

    public void Dispose() => _files.ForEach(file => file.Dispose());

    private static byte[] HeadOf(FileStream file)
    {
        var head = new byte[CheckedBytes];
        return head[..RandomAccess.Read(file.SafeFileHandle, head, 0)];
    }

    /// <returns>Whether to go on with the next file.</returns>
    private bool ReadFile(FileStream file, ISyncSink sink, CancellationToken stop)
    {
        var before = _stream.Offset;
        // A server carries out each in database 0 until it selects another.
        _stream.StartAt(before, 0);
        Span<byte> head = stackalloc byte[6];
        head = head[..file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
        file.Position = 0;
        if (head.StartsWith("REDIS"u8) || head.StartsWith("VALKEY"u8))
            ReadPreamble(file, sink, stop);
        while (true)
        {
            stop.ThrowIfCancellationRequested();
            if (!TakeWhole(sink, before))
                return false;
            var count = file.Read(_stream.Buffer.GetSpace());
            if (count == 0)
                return true;
            _stream.Buffer.Advance(count);
            Volatile.Write(ref _done, _done + count);
        }
    }

    private void ReadPreamble(FileStream file, ISyncSink sink, CancellationToken stop)
    {
        var reader = new RdbReader(file, _options.BigValue);
        // Commands may follow: whether it has a checksum is not known before its end.
        var dataSet = new DataSetReading(sink, _batch, _options, checksValues: true);
        dataSet.Read(reader, stop);
        _baseTime = dataSet.WrittenAt;
        sink.Pass(_batch);
        // Commands that change what is there may not be sent twice, as keys may.
        sink.AwaitApplied();
        _stream.StartAt(_stream.Offset + reader.Offset, 0);
        Volatile.Write(ref _done, _done + reader.Offset + reader.Unread.Length);
        _stream.Buffer.Append(reader.Unread);
    }

    private bool TakeWhole(ISyncSink sink, long fileStart)
    {
        while (true)
        {
            if (_stream.Buffer.Unread is [(byte)'#', ..])
            {
                var end = _stream.Buffer.Unread.IndexOf((byte)'\n');
                if (end < 0)
                    return true;
                if (!TakeAnnotation(_stream.Buffer.Unread[..end]))
                    return false;
                _stream.SkipBytes(end + 1);
                continue;
            }

            try
            {
                if (!_stream.TryTake())
                    return true;
            }
            catch (RedisProtocolException problem)
            {
                _batch.AbandonTransaction();
                sink.Pass(_batch);
                sink.AwaitApplied();
                throw new RedisProtocolException(
                    $"{_current}, which begins at offset {fileStart} of all: {problem.Message}");
            }

            _hasCommands = true;
            _hasUntimed |= _time == 0;
            if (_batch.IsFull(EnoughBytes))
                sink.Pass(_batch);
        }
    }

    // "#TS:1700000000", which RedisShake takes without the colon too; others may come to mean something.
    private bool TakeAnnotation(ReadOnlySpan<byte> line)
    {
        var time = 0L;
        if (!line.StartsWith("#TS"u8)
            || !Utf8Parser.TryParse(line["#TS".Length..].TrimStart((byte)':'), out time, out _))
        {
            return true;
        }

        // A base is the state of one moment, written whole.
        if (_isBase)
        {
            _baseTime = time;
        }
        else if (time > _options.Until)
        {
            _later = time;
            return false;
        }

        // So is all before it: a file is written in order.
        _hasUntimed = false;
        Volatile.Write(ref _time, time);
        return true;
    }

    private void CompareTimes(ISyncSink sink, long until)
    {
        if (_baseTime > until)
            sink.Fault($"The base was written at {_baseTime}, and is at the target in spite of --until {until}.");
        if (_baseTime is null && !_hasCommands && _later is { } first)
            sink.Fault($"What there was at --until {until} is not in {Name}, which begins at {first}.");
        if (_hasUntimed)
        {
            sink.Fault(
                $"Commands without a time are at the target, whether or not they are later than --until {until} "
                    + "(aof-timestamp-enabled has to be yes while they are written).");
        }
    }

    private void EndFile(ISyncSink sink, bool isLast)
    {
        var left = _stream.Buffer.Unread.Length;
        if (left == 0 && (isLast || !_stream.IsInTransaction))
            return;
        var what = left == 0 ? "transaction" : "command";
        var text = $"{_current} ends in the middle of a {what}, at offset {_stream.Offset}";
        if (!isLast)
            throw new RedisProtocolException($"{text}, and is not the last of the files.");
        sink.Note(Truncated, $"{text}: its last {left} bytes are left out.");
    }
}
