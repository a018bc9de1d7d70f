using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Commands;

/// <summary>Where the key of an operation stands that says which node of a cluster it is for. Immutable.</summary>
internal sealed class KeyPosition
{
    private readonly CommandPiece[] _pieces;
    private readonly int _command;
    private readonly int _word;

    /// <param name="pieces">What the word is made of.</param>
    /// <param name="command">Which of the operation's commands has it, from 0.</param>
    /// <param name="word">Which of its words it is; its name is 0.</param>
    public KeyPosition(IReadOnlyList<CommandPiece> pieces, int command, int word)
    {
        // What follows a tag does not matter.
        var tag = pieces.Index().FirstOrDefault(piece => piece.Item.Part == CommandPart.Tag, (Index: -1, default));
        var isTagFirst = tag.Index >= 0 && pieces.Take(tag.Index).All(
            piece => piece.Part == CommandPart.Literal && !piece.Literal.Contains((byte)'{'));
        (_pieces, _command, _word) = ([.. isTagFirst ? pieces.Take(tag.Index + 1) : pieces], command, word);
        Kind = _pieces.All(piece => piece.Part == CommandPart.Literal) ? KeyKind.Fixed
            : _pieces.All(piece => piece.Part is CommandPart.Literal or CommandPart.Key or CommandPart.Tag)
                ? KeyKind.OfOperation
            : KeyKind.Drawn;
        if (Kind == KeyKind.Fixed)
            FixedSlot = KeySlot.Of([.. _pieces.SelectMany(piece => piece.Literal)]);
    }

    private KeyPosition() => _pieces = [];

    public static KeyPosition None { get; } = new();

    public KeyKind Kind { get; }

    public int FixedSlot { get; } = -1;

    public ReadOnlySpan<CommandPiece> Pieces => _pieces;

    public KeyPosition KeepingNumbers() => Kind == KeyKind.None ? this
        : new KeyPosition(new CommandSegment([], _pieces).KeepingNumbers().Pieces, _command, _word);

    /// <summary>The slot of the key in an operation as it was drawn.</summary>
    public int SlotIn(ReadOnlySpan<byte> request)
    {
        for (var command = 0; ; command++)
        {
            var words = NumberAt(ref request);
            for (var word = 0; word < words; word++)
            {
                var length = NumberAt(ref request);
                if (command == _command && word == _word)
                    return KeySlot.Of(request[..length]);
                request = request[(length + 2)..];
            }
        }
    }

    // Behind a type, to the line's end. What is read was written here.
    private static int NumberAt(ref ReadOnlySpan<byte> request)
    {
        var (number, at) = (0, 1);
        for (; request[at] != '\r'; at++)
            number = (number * 10) + request[at] - '0';
        request = request[(at + 2)..];
        return number;
    }
}
