using System.Globalization;
using System.Text;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Keys;

/// <summary>ycsb, ycsb:20, ycsb-ordered, memtier, redis-benchmark, literal:key, and formats: user:{0:D12}.</summary>
internal static class KeyFormSyntax
{
    private const int MostDigits = 100;
    private const int MostBytes = 1024;
    private const string Literal = "literal:";

    public static ValueReading<KeyForm> Read(string text)
    {
        if (text.StartsWith(Literal, StringComparison.Ordinal))
            return ReadLiteral(text[Literal.Length..]);
        if (text.Contains('{', StringComparison.Ordinal) || text.Contains('}', StringComparison.Ordinal))
            return ReadFormat(text);
        var (name, padding) = text.Split(':', 2) is [var before, var after] ? (before, after) : (text, null);
        return (name, padding) switch
        {
            ("memtier", null) => Decimal("memtier-", 1),
            ("redis-benchmark", null) => Decimal("key:", 12),
            ("ycsb" or "ycsb-ordered", null) => Ycsb(name, 1),
            ("ycsb" or "ycsb-ordered", _) => TryDigits(padding, out var digits)
                ? Ycsb(name, digits)
                : Wrong($"the zero padding after {name}: is a number of characters from 1 to {MostDigits}"),
            _ => Wrong(
                "a key form is needed: ycsb, ycsb-ordered (either with its zero padding, for instance ycsb:20), "
                + "memtier, redis-benchmark, a format with {0} in the index's place, for instance user:{0:D12}, or "
                + "literal:KEY"),
        };
    }

    // A line of the note of what was loaded ends with it.
    private static ValueReading<KeyForm> ReadLiteral(string key) =>
        key.Length == 0 || Encoding.UTF8.GetByteCount(key) > MostBytes || key.Any(char.IsControl)
            ? Wrong($"after literal: stands a key of 1 to {MostBytes} bytes without control characters")
            : ValueReading.Of<KeyForm>(new LiteralKeyForm(Encoding.UTF8.GetBytes(key)));

    private static ValueReading<KeyForm> Ycsb(string name, int padding) =>
        name == "ycsb" ? ValueReading.Of<KeyForm>(new HashedKeyForm(padding)) : Decimal("user", padding);

    private static ValueReading<KeyForm> Decimal(string prefix, int digits) =>
        ValueReading.Of<KeyForm>(new DecimalKeyForm(Encoding.UTF8.GetBytes(prefix), digits, []));

    private static ValueReading<KeyForm> ReadFormat(string text)
    {
        var parts = new List<KeyPart>();
        var literal = new StringBuilder();
        for (var at = 0; at < text.Length; at++)
        {
            var character = text[at];
            if (character is not ('{' or '}'))
            {
                literal.Append(character);
            }
            else if (at + 1 < text.Length && text[at + 1] == character)
            {
                literal.Append(character);
                at++;
            }
            else
            {
                var close = character == '{' ? text.IndexOf('}', at) : -1;
                if (close < 0)
                {
                    return Wrong(
                        $"the {character} at character {at + 1} has no partner; a brace of the key is doubled");
                }

                if (ReadIndex(text[(at + 1)..close]) is not { } index)
                {
                    return Wrong(
                        $"{text[at..(close + 1)]} is not an index: {{0}}, {{0:D12}}, {{0:X8}}, {{0:x8}} or {{0:T}} is, "
                        + $"with at most {MostDigits} digits; braces of the key are doubled, for instance "
                        + "{{user}}:{0}");
                }

                Flush(literal, parts);
                parts.Add(index);
                at = close;
            }
        }

        Flush(literal, parts);
        return Compose(parts);
    }

    private static ValueReading<KeyForm> Compose(List<KeyPart> parts)
    {
        if (parts.TrueForAll(part => part.Literal is not null))
            return Wrong("{0} is needed where the index goes, or all keys would be the same one");
        if (parts.Sum(part => part.MaximumLength) > MostBytes)
            return Wrong($"keys of at most {MostBytes} bytes are needed");
        return ValueReading.Of<KeyForm>(parts switch
        {
            [{ Literal: null, Format: 'D' } only] => new DecimalKeyForm([], only.LeastDigits, []),
            [{ Literal: { } prefix }, { Literal: null, Format: 'D' } index] =>
                new DecimalKeyForm(prefix, index.LeastDigits, []),
            [{ Literal: { } prefix }, { Literal: null, Format: 'D' } index, { Literal: { } suffix }] =>
                new DecimalKeyForm(prefix, index.LeastDigits, suffix),
            _ => new ComposedKeyForm([.. parts]),
        });
    }

    private static KeyPart? ReadIndex(string text) => text switch
    {
        "0" => new KeyPart(null),
        ['0', ':', 'D' or 'd'] => new KeyPart(null),
        ['0', ':', 'T'] => new KeyPart(null, 'T', ClusterTags.Length),
        ['0', ':', 'X' or 'x'] => new KeyPart(null, text[2]),
        ['0', ':', 'D' or 'd' or 'X' or 'x', .. var digits] when TryDigits(digits, out var count) =>
            new KeyPart(null, text[2] == 'd' ? 'D' : text[2], count),
        _ => null,
    };

    private static bool TryDigits(string text, out int count) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out count)
        && count is >= 1 and <= MostDigits;

    private static void Flush(StringBuilder literal, List<KeyPart> parts)
    {
        if (literal.Length > 0)
            parts.Add(new KeyPart(Encoding.UTF8.GetBytes(literal.ToString())));
        literal.Clear();
    }

    private static ValueReading<KeyForm> Wrong(string problem) => ValueReading.Wrong<KeyForm>(problem);
}
