using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>An RDB file.</summary>
internal sealed class RdbFileReader : ISyncReader
{
    private const string Done = "done";
    private const string Damaged = "damaged";

    private readonly SourceOptions _options;
    private readonly FileStream _file;
    private readonly SyncBatch _batch = new();
    private RdbReader? _reader;
    private volatile string _status = "waiting";

    /// <exception cref="IOException">There is no such file, or it may not be read.</exception>
    public RdbFileReader(string path, SourceOptions options)
    {
        (Name, _options) = (path, options);
        _file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
    }

    public string Name { get; }

    public ReaderProgress Progress
    {
        get
        {
            var (size, done) = (_file.CanSeek ? _file.Length : 0, _reader?.Offset ?? 0);
            var share = size == 0 ? 0 : (double)done / size;
            return new(_status, share)
            {
                Fields = new Dictionary<string, object>
                {
                    ["filepath"] = Name,
                    ["file_size_bytes"] = size,
                    ["file_sent_bytes"] = done,
                    ["percent"] = $"{100 * share:0.00}%",
                },
            };
        }
    }

    public string? Missing => _status is Done or Damaged ? null : $"{Name} was not read to its end.";

    public void Read(ISyncSink sink, IStopToken stop)
    {
        _status = "comparing checksum";
        // What is damaged can stop a target. Of a pipe it is not known before its end.
        var isUnguarded = !_file.CanSeek || !RdbReader.HasRightChecksum(_file, stop.Cancellation);
        _reader = new RdbReader(_file, _options.BigValue);
        _status = "syncing rdb";
        try
        {
            new DataSetReading(sink, _batch, _options, checksValues: isUnguarded).Read(_reader, stop.Cancellation);
        }
        catch (RdbException) when (_reader.IsAtEnd)
        {
            _status = Damaged;
            sink.Fault(
                $"Something in {Name} is damaged: its values, modules' excepted, were taken apart, and left out where "
                    + "that found it; what that does not find, as another letter, passes.");
            throw;
        }

        sink.Pass(_batch);
        sink.AwaitApplied();
        // Of a pipe it is not known how many.
        var more = _file.CanSeek
            ? $"{_file.Length - _reader.Offset:N0} bytes follow, which were not read"
            : "more follows, which was not read";
        if (!_reader.Unread.IsEmpty || _file.ReadByte() >= 0)
        {
            throw new RedisProtocolException(
                $"{Name} ends at offset {_reader.Offset}, and {more}. If it is an append-only file that begins with an "
                    + "RDB file, use the verb aof.");
        }

        if (!_reader.IsChecksumVerified)
        {
            sink.Note(
                "no-checksum",
                $"{Name} has no checksum: its values, modules' excepted, were taken apart, but damage that "
                    + "leaves a value of its type, as another letter does, is not found.");
        }

        _status = Done;
    }

    public void Dispose() => _file.Dispose();
}
