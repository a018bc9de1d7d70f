using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Targets;

/// <summary>
/// Writes commands to a file, all shards to one, each batch as a whole. Its name ends with <c>.partial</c> until the
/// run has ended well. Without a file it makes the commands of every value, and so finds those that are damaged.
/// </summary>
internal sealed class FileWriter : ISyncWriter
{
    private const int Buffer = 256 << 10;

    private readonly string? _path;
    private readonly FileStream? _disk;
    private readonly Stream _file;
    private readonly CommandLines _lines;
    private long _entries;

    /// <exception cref="RunRefusedException">It cannot be made, or is there already.</exception>
    public FileWriter(string? path, FileFormat format, RdbFormat target, long bigValue = RdbReader.LongestText)
    {
        (_path, Target, BigValue) = (path, target, bigValue);
        _file = path is null ? Stream.Null : _disk = Create(path);
        _lines = new CommandLines(_file, format);
    }

    public string Name => _path ?? "nowhere (only verified)";

    public bool IsCluster => false;

    public IReadOnlyList<WriterProgress> Places =>
        [new(new Dictionary<string, object> { ["name"] = Name, ["entry_count"] = Volatile.Read(ref _entries) })];

    public RdbFormat Target { get; }

    private long BigValue { get; }

    private LatencyRecorder Lag { get; } = new();

    private Lock Gate { get; } = new();

    public IReadOnlyList<LatencyRecorder> OpenAll() => [Lag];

    public IShardWriter Open(SyncCounts counts) => new ShardFile(this, counts);

    public void Complete(bool isWhole) => Attempt(() =>
    {
        if (!isWhole || _disk is null || _path is null)
            return;
        _disk.Flush(flushToDisk: true);
        File.Move(_disk.Name, _path);
    });

    public void Dispose()
    {
        try
        {
            _file.Dispose();
        }
        catch (IOException)
        {
            // A full disk, which has ended the run already.
        }
    }

    private static FileStream Create(string path)
    {
        try
        {
            if (Path.Exists(path))
            {
                throw new IOException(Directory.Exists(path)
                    ? "It is a folder; name a file in it."
                    : "It is there already; remove it or choose another.");
            }

            var options = new FileStreamOptions
            {
                Mode = FileMode.CreateNew,
                Access = FileAccess.Write,
                Share = FileShare.Read,
                BufferSize = Buffer,
            };
            // Whoever may read the server is not whoever may read this folder.
            if (!OperatingSystem.IsWindows())
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            return new FileStream(path + ".partial", options);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RunRefusedException($"--destination-file {path}: cannot be written: {failure.Message}", failure);
        }
    }

    private static void Attempt(Action write)
    {
        try
        {
            write();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Lost(failure);
        }
    }

    private static TargetLostException Lost(Exception failure) =>
        new($"the file cannot be written: {failure.Message}", failure);

    private sealed class ShardFile(FileWriter owner, SyncCounts counts) : IShardWriter
    {
        private readonly TypedCommands _commands =
            new(owner.Target, new() { Replaces = true, BigValue = owner.BigValue });

        private readonly RestoreRequest _restore = new(owner.Target, relativeTo: null, replaces: true);
        private readonly CommandFrames _frames = new();
        private readonly RespWriter _made = new();
        private readonly List<SentUnit> _written = [];
        private long _receivedNs;
        private long _applied = SyncEntry.NoOffset;

        public long AppliedOffset => Volatile.Read(ref _applied);

        // A transaction comes at once, and no other shard's commands into it.
        public void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
        {
            try
            {
                WriteWhole(batch, entries);
            }
            catch (IOException failure)
            {
                throw Lost(failure);
            }
        }

        private void WriteWhole(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
        {
            _receivedNs = batch.ReceivedNs;
            lock (owner.Gate)
            {
                var before = owner._lines.Length;
                if (entries.Length > 1)
                    owner._lines.Write(entries[0].Database, Made("MULTI"), _frames.Words);
                var isWritten = true;
                foreach (ref readonly var entry in entries)
                    isWritten &= TryWrite(batch, entry);
                if (entries.Length > 1)
                    owner._lines.Write(entries[^1].Database, Made("EXEC"), _frames.Words);
                if (!isWritten)
                    return;
                _written.Add(new SentUnit
                {
                    Kind = entries.Length > 1 ? UnitKind.Transaction
                        : entries[0].Kind == EntryKind.Restore ? UnitKind.Restore : UnitKind.Command,
                    Length = (int)Math.Min(owner._lines.Length - before, int.MaxValue),
                    Entries = entries[0].IsOwn ? 0 : entries.Length,
                    Command = entries[0].Command,
                    Commands = entries.Length > 1 ? SentUnit.CommandsOf(entries) : null,
                    Part = entries[0].Part,
                });
            }
        }

        public void Flush(StreamPosition position)
        {
            if (_written.Count > 0)
            {
                lock (owner.Gate)
                {
                    Attempt(owner._file.Flush);
                    var lag = MonotonicClock.NowNs() - _receivedNs;
                    foreach (var unit in _written)
                    {
                        counts.CountWritten(unit);
                        owner._entries += unit.Entries;
                        owner.Lag.Record(lag);
                    }
                }

                _written.Clear();
            }

            if (!position.IsNone)
                Volatile.Write(ref _applied, position.Offset);
        }

        public void AwaitApplied() => Flush(StreamPosition.None);

        private bool TryWrite(SyncBatch batch, SyncEntry entry)
        {
            if (entry.Kind == EntryKind.Command)
            {
                Write(entry.Database, batch.BytesOf(entry));
                return true;
            }

            var key = batch.Word(entry, 0);
            try
            {
                var payload = DumpPayload.Parse(batch.BytesOf(entry));
                if (RdbType.KindOf(payload.Type, payload.Format) == RdbKind.Module)
                {
                    // Only the module knows its values.
                    _made.Clear();
                    _restore.Write(_made, batch, entry);
                    Write(entry.Database, _made.Written);
                    return true;
                }

                _commands.Write(
                    key, payload, entry.ExpiresAtMs > 0 ? entry.ExpiresAtMs : null,
                    request => Write(entry.Database, request));
                if (_commands.Losses != TypedLosses.None)
                    counts.Skip($"a part of the value that no command can make: {_commands.Losses.InWords()}", key);
            }
            catch (RdbException damage)
            {
                counts.Skip($"the value is damaged: {damage.Message}", key);
                return false;
            }

            return true;
        }

        private void Write(int database, ReadOnlySpan<byte> request)
        {
            FindWords(request);
            owner._lines.Write(database, request, _frames.Words);
        }

        private ReadOnlySpan<byte> Made(string command)
        {
            _made.Clear();
            _made.WriteRequest(command);
            FindWords(_made.Written);
            return _made.Written;
        }

        private void FindWords(ReadOnlySpan<byte> request)
        {
            _frames.Reset();
            if (!_frames.TryRead(request, out _))
                throw new InvalidOperationException("What was made is no single command.");
        }
    }
}
