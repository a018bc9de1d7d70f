using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Commands;

/// <summary>A command, or several (a transaction), encoded once, with keys and values patched in. Immutable.</summary>
internal sealed record CommandTemplate
{
    // A dollar sign, ten digits and two line ends around an argument.
    private const int ArgumentOverhead = 16;

    private const int CommandOverhead = 32;

    // As redis-benchmark pads it; a number that has more digits keeps them.
    private const int NumberLength = 12;
    private const int LongestNumber = 20;

    private readonly int _literalBytes;
    private readonly int _keys;
    private readonly int _values;
    private readonly int _numbers;
    private readonly int _fields;
    private readonly bool _drawsMore;

    internal CommandTemplate(string text, CommandSegment[] segments, IReadOnlyList<CommandShape> shapes)
    {
        Text = text;
        Shapes = shapes;
        Replies = shapes.Count;
        Segments = segments;
        foreach (var segment in segments)
        {
            _literalBytes += segment.Encoded.Length;
            foreach (var piece in segment.Pieces)
            {
                _literalBytes += piece.Literal.Length + ArgumentOverhead;
                _keys += piece.Part is CommandPart.Key or CommandPart.AnotherKey ? 1 : 0;
                _values += piece.Part is CommandPart.Value ? 1 : 0;
                _numbers += piece.Part is CommandPart.Number or CommandPart.Range ? 1 : 0;
                _fields += piece.Part is CommandPart.Field ? 1 : 0;
                HasRecordKey |= piece.Part is CommandPart.KeyHash or CommandPart.Tag;
                _numbers += piece.Part is CommandPart.KeyHash or CommandPart.Tag ? 1 : 0;
                _drawsMore |= piece.Part is CommandPart.AnotherKey or CommandPart.Number;
                // They are found now: that takes milliseconds.
                if (piece.Part == CommandPart.Tag)
                    _ = ClusterTags.All;
            }
        }
    }

    public string Text { get; private init; }

    /// <summary>Whether it names a field of its record, which so must have some.</summary>
    public bool HasFields => _fields > 0 || Then is { HasFields: true };

    public IReadOnlyList<CommandShape> Shapes { get; }

    public int Replies { get; }

    /// <summary>What each of its replies can be; empty where nobody knows, as of a command of the user's own.</summary>
    internal ReplyKinds[] ReplyKinds { get; init; } = [];

    /// <summary>How many elements the array has that it is answered by; zero where nobody knows.</summary>
    internal int Elements { get; init; }

    /// <summary>Whether nulls in the reply, and what is <see cref="Nothing"/>, are misses, all else hits.</summary>
    public bool IsRead { get; internal init; }

    /// <summary>What is answered of a key that is not there, where that is no null.</summary>
    internal byte[]? Nothing { get; init; }

    /// <summary>Whether nothing is changed by it, so that replicas execute it too.</summary>
    public bool OnlyReads { get; internal init; }

    /// <summary>Whether the reply is the value of the operation's key, as it was written.</summary>
    public bool ReturnsValue { get; internal init; }

    /// <summary>Whether what is read can be compared: the value of its key, a whole one written, or neither.</summary>
    public bool CanVerify { get; internal init; }

    /// <summary>What follows on the same connection once the reply has come, as a part of the operation.</summary>
    public CommandTemplate? Then { get; internal init; }

    /// <summary>What must be executed once on every node before, such as SCRIPT LOAD; its words.</summary>
    public IReadOnlyList<string> Preparation { get; internal init; } = [];

    /// <summary>For a server that forgot the preparation, and is reminded by it: EVAL for EVALSHA.</summary>
    public CommandTemplate? Unprepared { get; internal init; }

    public bool HasKey => _keys + _values > 0 || LongestRun > 0 || HasRecordKey || Replayed is not null;

    /// <summary>Keys of its own beside the operation's, of which nobody tells when they are there.</summary>
    internal bool HasFurtherKeys => _drawsMore || LongestRun > 0 || Then is { HasFurtherKeys: true };

    /// <summary>How many values one reply may bring at most: one for each argument that may be a key.</summary>
    internal int ValuesPerReply => Math.Max(
        Math.Max(Math.Max(LongestRun, LongestScan), Shapes.Sum(shape => shape.Keys?.Count ?? 0)),
        Then?.ValuesPerReply ?? 0);

    /// <summary>Other commands, of which the operation's key says which; null where it is one of its own.</summary>
    internal ReplayedCommand[]? Replayed { get; init; }

    /// <summary>How much of what was to be replayed is not sent, and why; null where all is.</summary>
    internal string? LeftOut { get; init; }

    /// <summary>Whether it is written as a line, and not as an array of arguments.</summary>
    internal bool IsInline { get; init; }

    /// <summary>Whether the reply is one record, there or not, of however many values.</summary>
    internal bool ReadsRecord { get; init; }

    /// <summary>What is sent for each key that its reply names, as a part of the operation.</summary>
    internal CommandTemplate? Each { get; init; }

    /// <summary>How many those are at most.</summary>
    internal int LongestScan { get; init; }

    /// <summary>Whether it is about the operation's key without having it among its arguments.</summary>
    internal bool HasRecordKey { get; }

    /// <summary>What its two commands are called, where each is recorded besides the whole; null elsewhere.</summary>
    internal OperationParts? Parts { get; init; }

    /// <summary>Where the key is that says in a cluster which node it is for.</summary>
    internal KeyPosition Place { get; init; } = KeyPosition.None;

    private CommandSegment[] Segments { get; init; }

    /// <summary>For a read of neighbouring keys: how many there are at most; zero otherwise.</summary>
    internal int LongestRun { get; init; }

    public static CommandTemplate Parse(string text) =>
        CommandText.TryRead(text, out var template, out var problem) ? template : throw new FormatException(problem);

    /// <summary>
    /// Further keys than the operation's are drawn from the stream. Returns how many elements its reply must have, zero
    /// where nobody knows.
    /// </summary>
    public int Write(RequestBuffer buffer, CommandInputs inputs, int stream, long key)
    {
        if (LongestRun > 0)
            return WriteRun(buffer, inputs, key);
        if (Replayed is { } replayed)
        {
            buffer.Write(replayed[(int)(key % replayed.Length)].Request);
            return 0;
        }

        var length = _literalBytes + (_numbers * LongestNumber)
            + (_keys * inputs.MaximumKeyLength) + (_values * inputs.MaximumValueLength)
            + (_fields * inputs.MaximumFieldLength);
        var space = buffer.GetSpace(length);
        var position = 0;
        foreach (ref readonly var segment in Segments.AsSpan())
        {
            if (segment.Pieces.Length == 0)
            {
                segment.Encoded.CopyTo(space[position..]);
                position += segment.Encoded.Length;
            }
            else
            {
                position += WriteArgument(space[position..], segment.Pieces, inputs, stream, ref key);
            }
        }

        buffer.Advance(position);
        return Elements;
    }

    /// <summary>Writes it for a key that a server has named; each of its arguments is one piece.</summary>
    internal void WriteFor(RequestBuffer buffer, CommandInputs inputs, ReadOnlySpan<byte> key)
    {
        foreach (ref readonly var segment in Segments.AsSpan())
        {
            if (segment.Pieces.Length == 0)
            {
                buffer.Write(segment.Encoded);
                continue;
            }

            var isKey = segment.Pieces[0].Part == CommandPart.Key;
            var space = buffer.GetSpace((isKey ? key.Length : inputs.MaximumFieldLength) + ArgumentOverhead);
            var length = isKey ? key.Length : inputs.WriteField(space);
            var header = ArgumentHeader.Length(length);
            (isKey ? key : space[..length]).CopyTo(space[header..]);
            ArgumentHeader.Write(space, (byte)'$', length);
            "\r\n"u8.CopyTo(space[(header + length)..]);
            buffer.Advance(header + length + 2);
        }
    }

    // repliesLeft: this one among them; one more where ASKING precedes it.
    internal bool CanHave(int repliesLeft, ReplyKinds kind) =>
        repliesLeft > ReplyKinds.Length || (ReplyKinds[^repliesLeft] & kind) != 0;

    /// <summary>How many bytes <see cref="SlotOf"/> needs.</summary>
    internal int LongestPlacedKey(CommandInputs inputs)
    {
        var length = inputs.MaximumKeyLength;
        foreach (var piece in Place.Pieces)
            length += piece.Literal.Length + inputs.MaximumKeyLength + ArgumentOverhead;
        return length;
    }

    /// <summary>
    /// The slot of its key, where the operation's key says it or it is always the same; -1 where there is none, or it
    /// has yet to be drawn.
    /// </summary>
    internal int SlotOf(CommandInputs inputs, long key, Span<byte> space)
    {
        if (Replayed is { } replayed)
            return replayed[(int)(key % replayed.Length)].Slot;
        if (Place.Kind != KeyKind.OfOperation)
            return Place.FixedSlot;
        var length = 0;
        foreach (ref readonly var piece in Place.Pieces)
            length += WritePiece(space[length..], piece, inputs, 0, ref key);
        return KeySlot.Of(space[..length]);
    }

    /// <summary>
    /// Writes a request of it as it was drawn for a server that forgot what <see cref="Preparation"/> told it.
    /// </summary>
    internal void WriteUnprepared(RequestBuffer buffer, ReadOnlySpan<byte> request)
    {
        // They differ in what stands before the key.
        buffer.Write(Unprepared!.Segments[0].Encoded);
        buffer.Write(request[Segments[0].Encoded.Length..]);
    }

    public override string ToString() => Text;

    internal CommandTemplate FollowedBy(CommandTemplate next) => this with
    {
        Text = $"{Text}, then {next.Text}",
        OnlyReads = OnlyReads && next.OnlyReads,
        CanVerify = CanVerify && next.CanVerify,
        Then = next,
    };

    // The script is ours, and writes a whole value.
    internal CommandTemplate PreparedBy(IReadOnlyList<string> words, CommandTemplate unprepared) =>
        this with { CanVerify = true, Preparation = words, Unprepared = unprepared };

    /// <summary>The same with its numbers as they are written: __rand_int__.</summary>
    internal CommandTemplate KeepingNumbers() => this with
    {
        Segments = [.. Segments.Select(segment => segment.KeepingNumbers())],
        Place = Place.KeepingNumbers(),
        Then = Then?.KeepingNumbers(),
    };

    // A scan of strings: one MGET of 1 to the longest neighbouring keys, equally likely, as YCSB's.
    private int WriteRun(RequestBuffer buffer, CommandInputs inputs, long first)
    {
        // The upper half of a product: no division, and no bias that matters below 2^32 keys.
        var count = 1 + (int)(((inputs.NextRandom() >> 32) * (ulong)LongestRun) >> 32);
        var space = buffer.GetSpace(CommandOverhead + (count * (inputs.MaximumKeyLength + ArgumentOverhead)));
        var position = ArgumentHeader.Write(space, (byte)'*', count + 1);
        "$4\r\nMGET\r\n"u8.CopyTo(space[position..]);
        position += 10;
        Span<byte> key = stackalloc byte[Math.Min(inputs.MaximumKeyLength, 1024)];
        for (var index = 0; index < count; index++)
        {
            var length = inputs.WriteKey(first + index, key);
            position += ArgumentHeader.Write(space[position..], (byte)'$', length);
            key[..length].CopyTo(space[position..]);
            position += length;
            "\r\n"u8.CopyTo(space[position..]);
            position += 2;
        }

        buffer.Advance(position);
        return count;
    }

    private static int WriteArgument(
        Span<byte> space, CommandPiece[] pieces, CommandInputs inputs, int stream, ref long key)
    {
        // The content goes where it stands if its length has as many digits as it is likely to have: two for a key,
        // those of the longest for a value. It is moved otherwise.
        var expected = ArgumentHeader.Length(pieces[0].Part == CommandPart.Value ? inputs.MaximumValueLength : 10);
        var length = 0;
        foreach (ref readonly var piece in pieces.AsSpan())
            length += WritePiece(space[(expected + length)..], piece, inputs, stream, ref key);
        var headerLength = ArgumentHeader.Length(length);
        if (headerLength != expected)
            space.Slice(expected, length).CopyTo(space[headerLength..]);
        ArgumentHeader.Write(space, (byte)'$', length);
        var end = headerLength + length;
        space[end + 1] = (byte)'\n';
        space[end] = (byte)'\r';
        return end + 2;
    }

    private static int WriteHash(Span<byte> space, CommandInputs inputs, long key)
    {
        Span<byte> text = stackalloc byte[Math.Min(inputs.MaximumKeyLength, 1024)];
        var hash = 0;
        foreach (var letter in text[..inputs.WriteKey(key, text)])
            hash = (31 * hash) + letter;
        var sign = hash < 0 ? 1 : 0;
        space[0] = (byte)'-';
        var magnitude = (ulong)Math.Abs((long)hash);
        var digits = DecimalDigits.Count(magnitude);
        DecimalDigits.Fill(space.Slice(sign, digits), magnitude);
        return sign + digits;
    }

    private static int WritePiece(
        Span<byte> space, in CommandPiece piece, CommandInputs inputs, int stream, ref long key)
    {
        switch (piece.Part)
        {
            case CommandPart.Key:
                return inputs.WriteKey(key, space);
            case CommandPart.AnotherKey:
                key = inputs.NextKeyBeside(key, stream);
                return inputs.WriteKey(key, space);
            case CommandPart.Value:
                return inputs.WriteValue(key, space);
            case CommandPart.Number:
                var number = (ulong)inputs.NextKey(stream);
                var digits = Math.Max(NumberLength, DecimalDigits.Count(number));
                DecimalDigits.Fill(space[..digits], number);
                return digits;
            case CommandPart.Tag:
                return inputs.Tags.WriteInBraces(key, space);
            case CommandPart.KeyHash:
                return WriteHash(space, inputs, key);
            case CommandPart.Field:
                return inputs.WriteField(space);
            case CommandPart.Range:
                var drawn = (ulong)(piece.Least + (long)(((UInt128)inputs.NextRandom() * piece.Span) >> 64));
                var length = DecimalDigits.Count(drawn);
                DecimalDigits.Fill(space[..length], drawn);
                return length;
            default:
                piece.Literal.CopyTo(space);
                return piece.Literal.Length;
        }
    }
}

/// <summary>What the commands of an operation are called that are recorded besides it.</summary>
internal sealed record OperationParts(string First, string Second);
