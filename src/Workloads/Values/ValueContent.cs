using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

// As users write it: constant (memtier's x), redis-benchmark, ycsb, random (anew for every request), compressible:4
// (to a quarter), deterministic (by key: can be checked when read). Immutable.
internal sealed class ValueContent
{
    private const string Compressible = "compressible";

    private static readonly (string Name, Func<int, Content> Create)[] Kinds =
    [
        ("constant", _ => new ConstantContent()),
        ("redis-benchmark", longest => new RedisBenchmarkContent(longest)),
        ("ycsb", _ => new YcsbContent()),
        ("random", _ => new RandomContent()),
        ("deterministic", _ => new DeterministicContent()),
    ];

    private static readonly ValueSyntax<double> Ratio = Syntax.Number(1, 30);

    private readonly string _text;
    private readonly Func<int, Content> _create;

    private ValueContent(string text, Func<int, Content> create) => (_text, _create) = (text, create);

    public static ValueReading<ValueContent> Read(string text)
    {
        var kind = Array.Find(Kinds, kind => kind.Name == text);
        if (kind.Create is not null)
            return ValueReading.Of(new ValueContent(text, kind.Create));
        if (text.Split(':', 2) is [Compressible, var ratioText])
        {
            return Ratio.Read(ratioText) is { Problem: null, Value: var ratio }
                ? ValueReading.Of(new ValueContent(text, _ => new CompressibleContent(ratio)))
                : ValueReading.Wrong<ValueContent>(
                    $"'{ratioText}' is not a ratio from 1 (incompressible) to 30, for instance compressible:4");
        }

        return ValueReading.Wrong<ValueContent>(
            "a content is needed: " + string.Join(", ", Kinds.Select(known => known.Name))
            + " or compressible with its ratio, for instance compressible:4");
    }

    public static string? Problem(string text) => Read(text).Problem;

    public static ValueContent Parse(string text) =>
        Read(text) is { Problem: null, Value: { } content } ? content
            : throw new FormatException($"{text}: {Problem(text)}");

    public Content Create(int longest) => _create(longest);

    public override string ToString() => _text;
}

/// <summary>What values are made of. Has no state that changes: all threads may share one.</summary>
internal abstract class Content
{
    /// <summary>Whether every value of the same length is the same, so that it need be written only once.</summary>
    public virtual bool IsConstant => false;

    public virtual bool CanVerify => IsConstant;

    /// <summary>Makes the value of a key. Allocates nothing.</summary>
    public abstract void Fill(long key, RandomSource random, Span<byte> value);

    /// <summary>Whether a value of this length for this key could have been made by <see cref="Fill"/>.</summary>
    public abstract bool Verify(long key, ReadOnlySpan<byte> value);
}

/// <summary>Every byte an <c>x</c>, as memtier sends without <c>--random-data</c>.</summary>
internal sealed class ConstantContent : Content
{
    private const byte Filler = (byte)'x';

    public override bool IsConstant => true;

    public override void Fill(long key, RandomSource random, Span<byte> value) => value.Fill(Filler);

    public override bool Verify(long key, ReadOnlySpan<byte> value) => !value.ContainsAnyExcept(Filler);
}

/// <summary>Random bytes, anew for every request: no compression or deduplication makes them smaller.</summary>
internal sealed class RandomContent : Content
{
    public override void Fill(long key, RandomSource random, Span<byte> value) => random.Fill(value);

    public override bool Verify(long key, ReadOnlySpan<byte> value) => true;
}

// Values that become smaller by a ratio (1 to 30) when many are compressed together: random bytes, then one byte over
// and over. The ratio is deflate's, within 5 % for values of at least 40 bytes times the ratio.
internal sealed class CompressibleContent(double ratio) : Content
{
    // What deflate (RFC 1951) makes of them, measured: about two bytes for each value's run, one more for each 258
    // repeated bytes (its longest match), and two in a thousand on random ones.
    private const double RunCost = 2;
    private const double MatchCost = 1.1 / 258;
    private const double RandomCost = 1.002;

    public override void Fill(long key, RandomSource random, Span<byte> value)
    {
        var incompressible = RandomBytes(value.Length);
        random.Fill(value[..incompressible]);
        value[incompressible..].Fill((byte)'x');
    }

    public override bool Verify(long key, ReadOnlySpan<byte> value) =>
        !value[RandomBytes(value.Length)..].ContainsAnyExcept((byte)'x');

    private int RandomBytes(int length)
    {
        if (ratio <= 1)
            return length;
        var wanted = ((length / ratio) - RunCost - (length * MatchCost)) / (RandomCost - MatchCost);
        return (int)Math.Clamp(Math.Round(wanted), 0, length);
    }
}
