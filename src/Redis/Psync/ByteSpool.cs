using System.Diagnostics;

namespace RedisLatency.Redis.Psync;

/// <summary>
/// Bytes on their way from one thread to another, which need not keep up: first in a ring in memory, then on the disk.
/// One thread writes, one reads.
/// </summary>
internal sealed class ByteSpool : IDisposable
{
    private readonly SpoolOptions _options;
    private readonly byte[] _ring;
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _changed = new();
    private readonly ManualResetEventSlim _hasRoom = new();
    private readonly Queue<SpoolFile> _files = new();
    private readonly ArrivalTimes _times = new();
    private SpoolFile? _last;
    private bool _isWritingToDisk;
    private int _head;
    private int _count;
    private long _read;
    private RedisException? _fault;

    public ByteSpool(SpoolOptions options)
    {
        _options = options;
        _ring = GC.AllocateUninitializedArray<byte>(Math.Max(options.MemoryLimit, 4096));
    }

    public long Received { get; private set; }

    // For the thread that reads.
    public long Taken => _read;

    public long OnDisk { get; private set; }

    public long MostOnDisk { get; private set; }

    public long Waiting
    {
        get
        {
            lock (_gate)
                return Received - _read;
        }
    }

    /// <summary>When the byte that is read next was received, in nanoseconds of the monotonic clock.</summary>
    /// <returns>Zero where none waits.</returns>
    public long NextReceivedNs
    {
        get
        {
            lock (_gate)
                return Received > _read ? _times.Of(_read) : 0;
        }
    }

    /// <summary>When the first byte of what was read last was received; for the thread that reads.</summary>
    public long LastReceivedNs { get; private set; }

    /// <summary>Takes as many bytes as there is room for; possibly none.</summary>
    /// <exception cref="ReplicationSpoolException">The disk does not take them.</exception>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        var inRing = WriteToRing(bytes);
        var rest = bytes[inRing..];
        var onDisk = rest.IsEmpty ? 0 : WriteToDisk(rest);
        if (inRing + onDisk > 0)
            _changed.Set();
        return inRing + onDisk;
    }

    /// <summary>Waits until something was read since the last write, at most so long.</summary>
    public void WaitForRoom(TimeSpan limit)
    {
        _hasRoom.Wait(limit);
        _hasRoom.Reset();
    }

    /// <summary>Nothing more comes: what waits can still be read, then the reason is thrown.</summary>
    public void Complete(RedisException reason)
    {
        lock (_gate)
            _fault ??= reason;
        _changed.Set();
    }

    /// <summary>Takes what is there, or waits for something until then.</summary>
    /// <returns>How many bytes; zero where none came.</returns>
    public int Read(Span<byte> buffer, long untilTimestamp, CancellationToken stop = default)
    {
        while (true)
        {
            _changed.Reset();
            var count = TryRead(buffer);
            if (count > 0)
                return count;
            var left = untilTimestamp - Stopwatch.GetTimestamp();
            if (left <= 0)
                return 0;
            lock (_gate)
            {
                if (_fault is not null && Received == _read)
                    throw _fault;
            }

            _changed.Wait(TimeSpan.FromSeconds(Math.Min(left / (double)Stopwatch.Frequency, 1)), stop);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            foreach (var file in _files)
                file.Dispose();
            _files.Clear();
        }

        _changed.Dispose();
        _hasRoom.Dispose();
    }

    private int WriteToRing(ReadOnlySpan<byte> bytes)
    {
        int start;
        int room;
        lock (_gate)
        {
            // What came later must not overtake what is on the disk.
            if (_files.Count > 0)
                return 0;
            // From the beginning again, so that a reader who keeps up touches little memory.
            if (_count == 0)
                _head = 0;
            start = (_head + _count) % _ring.Length;
            room = Math.Min(_ring.Length - _count, bytes.Length);
        }

        var first = Math.Min(room, _ring.Length - start);
        bytes[..first].CopyTo(_ring.AsSpan(start));
        bytes[first..room].CopyTo(_ring);
        lock (_gate)
        {
            _count += room;
            Note(room);
        }

        return room;
    }

    private int WriteToDisk(ReadOnlySpan<byte> bytes)
    {
        var room = (int)Math.Min(bytes.Length, _options.DiskLimit - OnDisk);
        if (room <= 0)
            return 0;
        SpoolFile file;
        try
        {
            file = TakeFile();
            file.Write(bytes[..room]);
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            throw new ReplicationSpoolException(
                $"what was received cannot be kept in {_options.Folder}: {problem.Message}", problem);
        }

        lock (_gate)
        {
            file.Written += room;
            _isWritingToDisk = false;
            OnDisk += room;
            MostOnDisk = Math.Max(MostOnDisk, OnDisk);
            Note(room);
        }

        return room;
    }

    // Until the bytes are in it, the reader leaves the file alone, even where he has read all that was.
    private SpoolFile TakeFile()
    {
        lock (_gate)
        {
            _isWritingToDisk = true;
            if (_last is null or { IsFull: true })
                _files.Enqueue(_last = new SpoolFile(_options.Folder));
            return _last;
        }
    }

    private void Note(int count)
    {
        _times.Note(Received + count, isFirst: Received == _read);
        Received += count;
    }

    private int TryRead(Span<byte> buffer)
    {
        int start;
        int length;
        SpoolFile? file = null;
        lock (_gate)
        {
            if (_count == 0 && !_files.TryPeek(out file))
                return 0;
            start = _head;
            length = (int)Math.Min(buffer.Length, file is null ? _count : file.Written - file.Read);
        }

        if (file is null)
        {
            var first = Math.Min(length, _ring.Length - start);
            _ring.AsSpan(start, first).CopyTo(buffer);
            _ring.AsSpan(0, length - first).CopyTo(buffer[first..]);
        }
        else
        {
            file.ReadAt(buffer[..length]);
        }

        lock (_gate)
            Forget(file, length);
        _hasRoom.Set();
        return length;
    }

    private void Forget(SpoolFile? file, int length)
    {
        LastReceivedNs = _times.Of(_read);
        _read += length;
        if (file is null)
        {
            _count -= length;
            _head = (_head + length) % _ring.Length;
            return;
        }

        file.Read += length;
        OnDisk -= length;
        if (file.Read < file.Written || (file == _last && _isWritingToDisk))
            return;
        _files.Dequeue().Dispose();
        if (file == _last)
            _last = null;
    }
}

/// <summary>What was received and not consumed could not be kept.</summary>
public sealed class ReplicationSpoolException(string message, Exception innerException)
    : RedisException(message, innerException);

/// <summary>
/// One piece of a spool on the disk. It is nobody else's, and has no name once it is open: a process that is killed
/// leaves
/// nothing.
/// </summary>
internal sealed class SpoolFile(string folder) : IDisposable
{
    private const long Most = 64L << 20;

    private readonly FileStream _file = Open(folder);

    public long Written { get; set; }

    public long Read { get; set; }

    public bool IsFull => Written >= Most;

    private static FileStream Open(string folder)
    {
        var path = Path.Combine(folder, $"redislatency-spool-{Guid.NewGuid():N}");
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            BufferSize = 0,
        };
        if (OperatingSystem.IsWindows())
        {
            options.Options = FileOptions.DeleteOnClose;
            return new FileStream(path, options);
        }

        options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var file = new FileStream(path, options);
        File.Delete(path);
        return file;
    }

    public void Write(ReadOnlySpan<byte> bytes) => RandomAccess.Write(_file.SafeFileHandle, bytes, Written);

    public void ReadAt(Span<byte> buffer)
    {
        var done = 0;
        while (done < buffer.Length)
        {
            var count = RandomAccess.Read(_file.SafeFileHandle, buffer[done..], Read + done);
            if (count == 0)
                throw new EndOfStreamException($"{_file.Name} is shorter than what was written to it");
            done += count;
        }
    }

    public void Dispose() => _file.Dispose();
}

/// <summary>
/// When bytes came, for as long as they wait: of those that come while others wait up to half a millisecond too early.
/// </summary>
internal sealed class ArrivalTimes
{
    private const int Most = 1 << 16;
    private const long GrainNs = 500_000;

    private readonly Queue<(long End, long Ns)> _marks = new();
    private (long End, long Ns) _last;

    public void Note(long end, bool isFirst)
    {
        var now = TimestampSpan.NowNs();
        if (!isFirst && (now - _last.Ns < GrainNs || _marks.Count == Most))
        {
            _last.End = end;
            return;
        }

        if (_last.End > 0)
            _marks.Enqueue(_last);
        _last = (end, now);
    }

    /// <summary>Of the byte at that place; asked in order.</summary>
    public long Of(long place)
    {
        while (_marks.TryPeek(out var mark))
        {
            if (mark.End > place)
                return mark.Ns;
            _marks.Dequeue();
        }

        return _last.Ns;
    }
}
