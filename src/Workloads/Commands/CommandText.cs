using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using RedisLatency.Redis.Commands;

namespace RedisLatency.Workloads.Commands;

// Reads command lines with the placeholders of memtier_benchmark (__key__, __data__), redis-benchmark (__rand_int__)
// and our own (__field__, __range:1..9__); a word ; begins another command of the same operation.
internal static partial class CommandText
{
    private const string KeyPlaceholder = "__key__";

    // Set in a letter that was written as its code: it is part of no placeholder, and separates nothing.
    private const int Literal = 0x100;

    private const string KnownPlaceholders =
        "__key__, __data__, __rand_int__, __field__, __hash__, __tag__, __range:1..9__";

    /// <summary>What stands for a drawn number in redis-benchmark's commands.</summary>
    public static ReadOnlySpan<byte> NumberPlaceholder => "__rand_int__"u8;

    private const CommandFlags MayTouchValues = CommandFlags.Write | CommandFlags.Script | CommandFlags.Session
        | CommandFlags.Code | CommandFlags.Admin | CommandFlags.Dangerous;

    // They write or read a whole value, or frame those that do.
    private static readonly string[] Verifiable = ["GET __key__", "SET __key__ __data__", "MULTI", "EXEC"];

    public static bool TryRead(
        string text,
        [NotNullWhen(true)] out CommandTemplate? template,
        [NotNullWhen(false)] out string? problem) => TryRead(text, [], out template, out problem);

    /// <summary>Reads a command line of which is known what each reply can be.</summary>
    public static bool TryRead(
        string text,
        ReplyKinds[] replies,
        [NotNullWhen(true)] out CommandTemplate? template,
        [NotNullWhen(false)] out string? problem)
    {
        template = null;
        // A character for each byte, so that an escaped one need not be UTF-8.
        if (!TrySplit(Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text)), out var words, out problem))
            return false;
        var commands = Commands(words);
        if (commands.Count == 0 || commands.Any(command => command.Count == 0))
        {
            problem = "there is no command in it";
            return false;
        }

        if (words.Select(UnknownPlaceholder).FirstOrDefault(word => word is not null) is { } stranger)
        {
            problem = $"'{Shown(stranger)}' is no placeholder; there are {KnownPlaceholders}";
            return false;
        }

        if (commands.Exists(command => CommandSyntax.HasPassword(Shown(string.Join(' ', command)))))
        {
            problem = "there is a password in it, and commands are printed and kept; log in by --user and "
                + "--password-file, or as the other tool does";
            return false;
        }

        if (commands.Find(IsUnanswered) is { } unanswered)
        {
            problem = $"{Shown(string.Join(' ', unanswered))} is not answered, nor is what follows it";
            return false;
        }

        var first = commands[0][0];
        template = new CommandTemplate(text, Encode(commands, out var place), [.. commands.Select(ShapeOf)])
        {
            Place = place,
            ReplyKinds = replies,
            IsRead = commands.Count == 1
                && (RedisCommands.Has(first, CommandFlags.MayMiss) || IsExistsOfOne(commands[0])),
            ReadsRecord = IsHgetall(first),
            Nothing = NothingOf(first),
            ReturnsValue = commands.Count == 1 && RedisCommands.Has(first, CommandFlags.ReturnsValue),
            OnlyReads = commands.TrueForAll(command => ReadsKeys(RedisCommands.Find(command))),
            CanVerify = commands.TrueForAll(CanVerify) && (commands.Count == 1 || !commands.Exists(IsGet)),
        };
        return true;
    }

    // A word as one that is read byte for byte, but for these placeholders in it.
    internal static string Quoted(byte[] word, params ReadOnlySpan<string> placeholders)
    {
        var text = Encoding.Latin1.GetString(word);
        if (text.Length > 0 && text.All(char.IsAsciiLetterOrDigit))
            return text;
        var quoted = new StringBuilder("\"");
        for (var at = 0; at < text.Length; at++)
        {
            if (PlaceholderAt(text.AsSpan(at), placeholders) is { } placeholder)
            {
                quoted.Append(placeholder);
                at += placeholder.Length - 1;
            }
            else if (text[at] is ';' or '"' or '\\' or < ' ' or > '~' || text.AsSpan(at).StartsWith("__"))
            {
                quoted.Append(CultureInfo.InvariantCulture, $"\\x{(int)text[at]:x2}");
            }
            else
            {
                quoted.Append(text[at]);
            }
        }

        return quoted.Append('"').ToString();
    }

    // A command line in which only these are placeholders, and no word separates commands.
    internal static bool TryQuote(
        string text,
        ReadOnlySpan<string> placeholders,
        [NotNullWhen(true)] out string? quoted,
        [NotNullWhen(false)] out string? problem)
    {
        quoted = null;
        if (!TrySplit(Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text)), out var words, out problem))
            return false;
        var all = new List<string>();
        foreach (var word in words)
            all.Add(Quoted(BytesOf(word), placeholders));
        quoted = string.Join(' ', all);
        return TryRead(quoted, out _, out problem);
    }

    private static string? PlaceholderAt(ReadOnlySpan<char> text, ReadOnlySpan<string> placeholders)
    {
        foreach (var placeholder in placeholders)
        {
            if (text.StartsWith(placeholder))
                return placeholder;
        }

        return null;
    }

    private static byte[] BytesOf(string word) => [.. word.Select(letter => (byte)(letter & byte.MaxValue))];

    private static string Shown(string word) => Encoding.UTF8.GetString(BytesOf(word));

    // What is known of a command by its name alone; its bytes are somebody else's.
    internal static CommandTemplate OfAnyArguments(string name) => new(name, [], [new(name, null)])
    {
        IsRead = RedisCommands.Has(name, CommandFlags.MayMiss),
        ReadsRecord = IsHgetall(name),
        Nothing = NothingOf(name),
        OnlyReads = ReadsKeys(RedisCommands.Find(name)),
    };

    private static bool ReadsKeys(RedisCommand? command) =>
        command is { Keys: var keys } && command.Has(CommandFlags.Read) && keys != default;

    private static bool IsHgetall(string name) => name.Equals("HGETALL", StringComparison.OrdinalIgnoreCase);

    private static byte[]? NothingOf(string name) => name.ToUpperInvariant() switch
    {
        "GETRANGE" or "SUBSTR" => [],
        "STRLEN" or "EXISTS" => "0"u8.ToArray(),
        _ => null,
    };

    private static bool IsUnanswered(List<string> words) =>
        words is [var command, var part, var how, ..]
        && command.Equals("CLIENT", StringComparison.OrdinalIgnoreCase)
        && part.Equals("REPLY", StringComparison.OrdinalIgnoreCase)
        && !how.Equals("ON", StringComparison.OrdinalIgnoreCase);

    // Of several keys it tells how many are there.
    private static bool IsExistsOfOne(List<string> words) =>
        words is [var command, _] && command.Equals("EXISTS", StringComparison.OrdinalIgnoreCase);

    private static bool IsGet(List<string> words) => words[0].Equals("GET", StringComparison.OrdinalIgnoreCase);

    private static bool CanVerify(List<string> words)
    {
        var isPairs = words[0].Equals("MSET", StringComparison.OrdinalIgnoreCase) && words.Count % 2 == 1
            && words.Skip(1).Index().All(word => word.Item == (word.Index % 2 == 0 ? "__key__" : "__data__"));
        var text = $"{words[0].ToUpperInvariant()} {string.Join(' ', words.Skip(1))}".TrimEnd();
        return isPairs || Verifiable.Contains(text)
            || (RedisCommands.Find(words) is { } command && command.Keys == default
                && (command.Flags & MayTouchValues) == 0);
    }

    // The first key, and where that is a drawn one the further keys are as well.
    private static CommandShape ShapeOf(List<string> words)
    {
        var first = CommandKeys.FirstOf(words);
        var areDrawn = first != CommandKeys.None && HoldsKey(words[first]);
        return new(Shown(words[0]),
            [.. words.Index().Skip(1).Select(word => word.Index == first || (areDrawn && HoldsKey(word.Item)))]);
    }

    private static bool HoldsKey(string word) => word.Contains(KeyPlaceholder, StringComparison.Ordinal)
        || word.Contains("__tag__", StringComparison.Ordinal);

    private static CommandSegment[] Encode(List<List<string>> commands, out KeyPosition place)
    {
        var segments = new List<CommandSegment>();
        var literal = new List<byte>();
        var hasKey = false;
        place = KeyPosition.None;
        foreach (var (number, command) in commands.Index())
        {
            Append(literal, $"*{command.Count.ToString(CultureInfo.InvariantCulture)}\r\n");
            var first = CommandKeys.FirstOf(command);
            foreach (var (at, word) in command.Index())
            {
                var pieces = Pieces(word, ref hasKey);
                if (at == first && place.Kind == KeyKind.None)
                    place = new KeyPosition(pieces, number, at);
                if (pieces.All(piece => piece.Part == CommandPart.Literal))
                {
                    Append(literal, $"${word.Length.ToString(CultureInfo.InvariantCulture)}\r\n{word}\r\n");
                    continue;
                }

                segments.Add(new CommandSegment([.. literal], []));
                literal.Clear();
                segments.Add(new CommandSegment([], [.. pieces]));
            }

            // Commands of one operation, as in a transaction, are about one key; only MGET's like have several.
            hasKey = false;
        }

        if (literal.Count > 0)
            segments.Add(new CommandSegment([.. literal], []));
        return [.. segments];
    }

    private static void Append(List<byte> bytes, string text) => bytes.AddRange(BytesOf(text));

    private static List<CommandPiece> Pieces(string word, ref bool hasKey)
    {
        var pieces = new List<CommandPiece>();
        var position = 0;
        foreach (Match match in Placeholder().Matches(word))
        {
            AddLiteral(word[position..match.Index]);
            pieces.Add(PieceOf(match, ref hasKey));
            position = match.Index + match.Length;
        }

        AddLiteral(word[position..]);
        return pieces;

        void AddLiteral(string text)
        {
            if (text.Length > 0)
                pieces.Add(new CommandPiece(CommandPart.Literal, BytesOf(text)));
        }
    }

    private static CommandPiece PieceOf(Match match, ref bool hasKey)
    {
        var part = match.Groups["name"].Value switch
        {
            "key" => hasKey ? CommandPart.AnotherKey : CommandPart.Key,
            "data" => CommandPart.Value,
            "rand_int" => CommandPart.Number,
            "field" => CommandPart.Field,
            "hash" => CommandPart.KeyHash,
            "tag" => CommandPart.Tag,
            _ => CommandPart.Range,
        };
        hasKey |= part == CommandPart.Key;
        if (part != CommandPart.Range)
            return new CommandPiece(part, []);
        var (least, most) = EndsOf(match);
        return new CommandPiece(part, []) { Least = least, Span = (ulong)(most - least) + 1 };
    }

    private static (long Least, long Most) EndsOf(Match match) => (
        long.Parse(match.Groups["least"].ValueSpan, CultureInfo.InvariantCulture),
        long.Parse(match.Groups["most"].ValueSpan, CultureInfo.InvariantCulture));

    // A range that goes down is no placeholder either.
    private static string? UnknownPlaceholder(string word)
    {
        word = Placeholder().Replace(word, match => match.Groups["least"].Success && EndsOf(match) is var (least, most)
            && least > most ? match.Value : " ");
        var start = word.IndexOf("__", StringComparison.Ordinal);
        var end = start < 0 ? -1 : word.IndexOf("__", start + 2, StringComparison.Ordinal);
        return end < 0 ? null : word[start..(end + 2)];
    }

    [GeneratedRegex(
        @"__(?:(?<name>key|data|rand_int|field|hash|tag)|range:(?<least>[0-9]{1,18})\.\.(?<most>[0-9]{1,18}))__",
        RegexOptions.CultureInvariant)]
    private static partial Regex Placeholder();

    private static List<List<string>> Commands(List<string> words)
    {
        var commands = new List<List<string>> { new() };
        foreach (var word in words)
        {
            if (word == ";")
                commands.Add([]);
            else
                commands[^1].Add(word);
        }

        return commands;
    }

    private static bool TrySplit(string text, out List<string> words, [NotNullWhen(false)] out string? problem)
    {
        words = [];
        problem = null;
        var word = new StringBuilder();
        var isInWord = false;
        var quote = '\0';
        for (var at = 0; at < text.Length; at++)
        {
            var letter = text[at];
            if (quote != '\0' && letter == '\\' && Unescaped(text, ref at, quote) is { } escaped)
                word.Append(escaped);
            else if (quote != '\0' ? letter == quote : letter is '"' or '\'')
            {
                quote = quote == '\0' ? letter : '\0';
                isInWord = true;
            }
            else if (quote == '\0' && letter is ' ' or (>= '\t' and <= '\r'))
            {
                if (isInWord)
                    words.Add(word.ToString());
                word.Clear();
                isInWord = false;
            }
            else
            {
                word.Append(letter);
                isInWord = true;
            }
        }

        if (isInWord)
            words.Add(word.ToString());
        if (quote != '\0')
            problem = $"a quote ({quote}) is not closed";
        return problem is null;
    }

    // As memtier_benchmark and redis-cli read it; leaves the place at its end. Null for a backslash that is one.
    private static char? Unescaped(string text, ref int at, char quote)
    {
        var rest = text.AsSpan(at + 1);
        if (rest.IsEmpty || (quote == '\'' && rest[0] != quote))
            return null;
        if (rest is ['x', var high, var low, ..] && char.IsAsciiHexDigit(high) && char.IsAsciiHexDigit(low))
        {
            at += 3;
            var code = (char)byte.Parse([high, low], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            return code is '_' or ';' ? (char)(code | Literal) : code;
        }

        at++;
        return rest[0] switch
        {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\b',
            'a' => '\a',
            var itself => itself,
        };
    }
}
