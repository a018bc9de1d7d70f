using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// Reads an RDB file or transfer forward, record by record, in the memory of its largest value. Values stay as they are
/// in the file; <see cref="TypedCommands"/> takes them apart. Format: rdb.c of Redis 2.4 to 8.8 and Valkey to 9.2.
/// </summary>
public sealed class RdbReader
{
    /// <summary>The size above which a value is not held, where none is given: 64 MiB.</summary>
    public const long DefaultBigValue = 64L << 20;

    /// <summary>The longest text that Redis takes, where nobody has set it otherwise: proto-max-bulk-len.</summary>
    public const long LongestText = 512L << 20;

    private const int HeaderLength = 9;
    private const int FirstChecksummed = 5;
    private const int ChecksumPiece = 256 << 10;
    private const int Capacity = 256 << 10;
    private const int LongestAuxiliary = 64 << 10;

    private readonly RdbInput _input;
    private readonly long _bigValue;
    private readonly ValueBuffer _name = new();
    private readonly ValueBuffer _content = new();
    private readonly RdbValueWalk _skip = new(visitor: null);
    private readonly RdbValueWalk _check = new(new UnseenValue());
    private bool _hasHeader;
    private bool _hasUnreadValue;
    private bool _isDone;

    /// <summary>Makes a reader; the stream stays the caller's.</summary>
    /// <param name="source">Where the bytes come from: a file, or a transfer.</param>
    /// <param name="bigValue">
    /// The most bytes of one value that are held. Of a text that cannot be cut, as a key or a member, as many are, or
    /// <see cref="DefaultBigValue"/> where that is more.
    /// </param>
    /// <param name="capacity">Bytes that are asked for at once.</param>
    public RdbReader(Stream source, long bigValue = DefaultBigValue, int capacity = Capacity)
    {
        _input = new RdbInput(source, capacity) { LongestText = Math.Max(bigValue, DefaultBigValue) };
        _bigValue = bigValue;
        Entry = new RdbEntry(_input);
    }

    /// <summary>The file's format; known once the first record was read.</summary>
    public RdbFormat Format { get; private set; }

    /// <summary>The key that <see cref="Read"/> found.</summary>
    public RdbEntry Entry { get; }

    /// <summary>The name of the field that <see cref="Read"/> found: <c>redis-ver</c>, <c>repl-stream-db</c>.</summary>
    public string AuxiliaryName => Encoding.UTF8.GetString(_name.Written);

    /// <summary>The field's content, or the library's code.</summary>
    public ReadOnlySpan<byte> Content => _content.Written;

    /// <summary>How many bytes were read.</summary>
    public long Offset => _input.Offset;

    /// <summary>
    /// Whether the file's checksum was compared, and right; false where the server had not made one.
    /// </summary>
    public bool IsChecksumVerified { get; private set; }

    /// <summary>Auxiliary data of modules that were passed over: they mean nothing to other servers' modules.</summary>
    public int SkippedModuleRecords { get; private set; }

    /// <summary>Whether everything was read, the checksum too, be it right or wrong.</summary>
    public bool IsAtEnd => _isDone;

    /// <summary>What came from the source behind the end of the file.</summary>
    public ReadOnlySpan<byte> Unread => _isDone ? _input.Unread : [];

    /// <summary>Reads on to the next record that means something.</summary>
    /// <exception cref="RdbException">
    /// The file is damaged, ends too early, or is of a kind that is not known.
    /// </exception>
    public RdbRecord Read()
    {
        if (_isDone)
            return RdbRecord.End;
        if (!_hasHeader)
            ReadHeader();
        LeaveValue();
        Entry.ExpiresAtMs = null;
        Entry.IdleSeconds = null;
        Entry.Frequency = null;
        Entry.HasModuleMetadata = false;
        while (true)
        {
            var offset = _input.Offset;
            var code = _input.ReadByte();
            if (code < RdbOpcode.First)
                return ReadKey(code, offset);
            if (ReadOpcode(code) is { } record)
                return record;
        }
    }

    /// <summary>Reads a file for its checksum alone; leaves it where it was.</summary>
    /// <param name="file">The whole file, in which can be sought.</param>
    /// <param name="stop">Ends it early.</param>
    /// <returns>Whether it has a checksum, which is right.</returns>
    public static bool HasRightChecksum(Stream file, CancellationToken stop)
    {
        Span<byte> header = stackalloc byte[HeaderLength];
        Span<byte> last = stackalloc byte[sizeof(ulong)];
        if (file.Length < header.Length + last.Length)
            return false;
        var before = file.Position;
        file.Position = 0;
        file.ReadExactly(header);
        file.Position = file.Length - last.Length;
        file.ReadExactly(last);
        var isOld = header.StartsWith("REDIS"u8)
            && int.TryParse(header[5..], NumberStyles.None, CultureInfo.InvariantCulture, out var version)
            && version < FirstChecksummed;
        var stored = BinaryPrimitives.ReadUInt64LittleEndian(last);
        var isRight = !isOld && stored != 0 && stored == ChecksumOf(file, file.Length - last.Length, stop);
        file.Position = before;
        return isRight;
    }

    /// <summary>
    /// Takes the value at the current key apart, to find damage that its length does not show: as strictly as Redis
    /// with <c>sanitize-dump-payload</c>. Leaves a module's value, and one that is too long to be held.
    /// </summary>
    /// <exception cref="RdbException">It is damaged. The next key can be read all the same.</exception>
    public void CheckValue()
    {
        if (Entry.IsBig || Entry.Kind == RdbKind.Module)
            return;
        var end = _input.Offset;
        try
        {
            _check.Walk(OpenValue(), Entry.Type, Format);
            if (_input.Offset != end)
                throw _input.Fault("a value ends elsewhere than its length says");
        }
        catch (RdbException)
        {
            _input.Rewind();
            _hasUnreadValue = true;
            throw;
        }
    }

    /// <summary>The value at the current key, to be taken apart; once.</summary>
    internal RdbInput OpenValue()
    {
        if (!_hasUnreadValue)
            _input.Rewind();
        _hasUnreadValue = false;
        _input.IsInKey = true;
        _input.MarkLimit = long.MaxValue;
        if (!Entry.IsBig)
            _input.Mark();
        return _input;
    }

    private void ReadHeader()
    {
        var header = _input.Read(HeaderLength);
        var isValkey = header.StartsWith("VALKEY"u8);
        var digits = header[(isValkey ? 6 : 5)..];
        if (!(isValkey || header.StartsWith("REDIS"u8))
            || !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var version))
        {
            throw new RdbException(
                $"an RDB file begins with REDIS or VALKEY and a version, not {RespFault.Show(header)}", 0);
        }

        Format = new RdbFormat(isValkey, version);
        if (!Format.IsKnown)
        {
            throw new RdbException(
                $"the file is of version {Encoding.ASCII.GetString(header)}; known are REDIS0001 to "
                    + $"REDIS{RdbFormat.NewestOfRedis:0000} and VALKEY{RdbFormat.FirstOfValkey:000} to "
                    + $"VALKEY{RdbFormat.NewestOfValkey:000}",
                0);
        }

        Entry.Format = Format;
        _hasHeader = true;
    }

    private RdbRecord? ReadOpcode(byte code)
    {
        switch (code)
        {
            case RdbOpcode.End:
                ReadChecksum();
                return RdbRecord.End;
            case RdbOpcode.Database:
                Entry.Database = _input.ReadSmall("the database's number");
                return null;
            case RdbOpcode.ExpirySeconds:
                Entry.ExpiresAtMs = BinaryPrimitives.ReadUInt32LittleEndian(_input.Read(4)) * 1000L;
                return null;
            case RdbOpcode.ExpiryMilliseconds:
                Entry.ExpiresAtMs = _input.ReadInt64();
                return null;
            case RdbOpcode.Sizes:
                _input.ReadLength();
                _input.ReadLength();
                return null;
            case RdbOpcode.Auxiliary:
                return TryReadAuxiliary() ? RdbRecord.Auxiliary : null;
            case RdbOpcode.Frequency:
                Entry.Frequency = _input.ReadByte();
                return null;
            case RdbOpcode.Idle:
                Entry.IdleSeconds = _input.ReadSmall("the idle time");
                return null;
            case RdbOpcode.ModuleAuxiliary:
                _input.ReadLength();
                _input.SkipModuleFields();
                SkippedModuleRecords++;
                return null;
            case RdbOpcode.Function:
                ReadText(_content);
                return RdbRecord.Function;
            case RdbOpcode.SlotSizes:
                _input.ReadLength();
                _input.ReadLength();
                _input.ReadLength();
                return null;
            case RdbOpcode.SlotImport when Format.IsValkey:
                SkipSlotImport();
                return null;
            case RdbOpcode.KeyMetadata when !Format.IsValkey:
                _input.SkipKeyMetadata();
                Entry.HasModuleMetadata = true;
                return null;
            case RdbOpcode.FunctionBeforeRelease:
                throw _input.Fault("a function library of a release candidate of Redis 7.0, which no release reads");
            default:
                throw _input.Fault($"a record of kind {code}, which is not known of {Format}");
        }
    }

    private RdbRecord ReadKey(byte type, long offset)
    {
        Entry.Type = type;
        Entry.Offset = offset;
        ReadText(_input.Key);
        _input.IsInKey = true;
        _input.Mark();
        _input.MarkLimit = type == RdbType.Module2 ? long.MaxValue : _bigValue;
        Entry.IsBig = _hasUnreadValue = !TrySkipValue(type) || _input.Marked.Length > _input.MarkLimit;
        if (Entry.IsBig)
            _input.Rewind();
        return RdbRecord.Key;
    }

    private bool TrySkipValue(byte type)
    {
        try
        {
            _skip.Walk(_input, type, Format);
            return true;
        }
        catch (MarkTooLongException)
        {
            // Rare, and costly anyway; the alternative is a question at every byte.
            return false;
        }
    }

    private void LeaveValue()
    {
        if (_hasUnreadValue)
            _skip.Walk(_input, Entry.Type, Format);
        _hasUnreadValue = false;
        _input.Release();
        _input.IsInKey = false;
    }

    // Long is only the code of a script, which stands there before Redis 7; no other that is means anything here.
    private bool TryReadAuxiliary()
    {
        _name.Clear();
        _content.Release();
        if (!_input.TryReadString(_name, LongestAuxiliary))
        {
            _input.SkipString();
            return false;
        }

        if (!_name.Written.SequenceEqual("lua"u8))
            return _input.TryReadString(_content, LongestAuxiliary);
        _input.ReadString(_content);
        return true;
    }

    private void ReadText(ValueBuffer target)
    {
        target.Release();
        _input.ReadString(target);
    }

    private static ulong ChecksumOf(Stream file, long length, CancellationToken stop)
    {
        var buffer = new byte[ChecksumPiece];
        var crc = 0UL;
        file.Position = 0;
        for (var left = length; left > 0;)
        {
            stop.ThrowIfCancellationRequested();
            var piece = buffer.AsSpan(0, (int)Math.Min(left, buffer.Length));
            file.ReadExactly(piece);
            crc = Crc64.Append(crc, piece);
            left -= piece.Length;
        }

        return crc;
    }

    private void ReadChecksum()
    {
        var made = _input.Checksum();
        var stored = Format is { IsValkey: false, Version: < FirstChecksummed } ? 0 : (ulong)_input.ReadInt64();
        _isDone = true;
        if (stored != 0 && stored != made)
        {
            throw new RdbException(
                $"the checksum of the file is {stored:x16}, that of its content {made:x16}: something in it is damaged",
                _input.Offset - sizeof(ulong));
        }

        IsChecksumVerified = stored != 0;
    }

    private void SkipSlotImport()
    {
        _input.SkipString();
        for (var ranges = _input.ReadLength(); ranges > 0; ranges--)
        {
            _input.ReadLength();
            _input.ReadLength();
        }
    }
}

/// <summary>What stands in an RDB file.</summary>
public enum RdbRecord
{
    /// <summary>The end, with a checksum that is right or missing.</summary>
    End,

    /// <summary>A field about the file or the server: name and content. Which there are differs.</summary>
    Auxiliary,

    /// <summary>The code of a library of functions.</summary>
    Function,

    /// <summary>A key with its value.</summary>
    Key,
}

internal static class RdbOpcode
{
    public const byte First = 242;
    public const byte KeyMetadata = 243;
    public const byte SlotImport = 243;
    public const byte SlotSizes = 244;
    public const byte Function = 245;
    public const byte FunctionBeforeRelease = 246;
    public const byte ModuleAuxiliary = 247;
    public const byte Idle = 248;
    public const byte Frequency = 249;
    public const byte Auxiliary = 250;
    public const byte Sizes = 251;
    public const byte ExpiryMilliseconds = 252;
    public const byte ExpirySeconds = 253;
    public const byte Database = 254;
    public const byte End = 255;
}
