using System.Buffers.Binary;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

// What values are filled with, as users write it: constant (memtier's x), redis-benchmark, ycsb, random (anew for every
// request), compressible:4 (to a quarter), deterministic (by key: can be checked when read). Immutable.
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

// Any process can check any value that another has written, also one that was cut or is another key's: little-endian
// outputs of splitmix64 (SplitMix64) started at mix(mix(key) + length).
internal sealed class DeterministicContent : Content
{
    public override bool CanVerify => true;

    public override void Fill(long key, RandomSource random, Span<byte> value)
    {
        var state = StateOf(key, value.Length);
        while (value.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(value, SplitMix64.Next(ref state));
            value = value[sizeof(ulong)..];
        }

        for (var rest = SplitMix64.Next(ref state); !value.IsEmpty; rest >>= 8, value = value[1..])
            value[0] = (byte)rest;
    }

    public override bool Verify(long key, ReadOnlySpan<byte> value)
    {
        var state = StateOf(key, value.Length);
        while (value.Length >= sizeof(ulong))
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(value) != SplitMix64.Next(ref state))
                return false;
            value = value[sizeof(ulong)..];
        }

        for (var rest = SplitMix64.Next(ref state); !value.IsEmpty; rest >>= 8, value = value[1..])
        {
            if (value[0] != (byte)rest)
                return false;
        }

        return true;
    }

    private static ulong StateOf(long key, int length) => SplitMix64.Mix(SplitMix64.Mix((ulong)key) + (ulong)length);
}

/// <summary>YCSB 0.18, <c>site.ycsb.RandomByteIterator</c>: six printable bytes of 32 bits, not remembered.</summary>
internal sealed class YcsbContent : Content
{
    private const int BytesPerWord = 6;

    public override void Fill(long key, RandomSource random, Span<byte> value)
    {
        while (value.Length >= BytesPerWord + sizeof(ulong))
        {
            var words = random.NextUInt64();
            BinaryPrimitives.WriteUInt64LittleEndian(value, Printable((uint)(words >> 32)));
            BinaryPrimitives.WriteUInt64LittleEndian(value[BytesPerWord..], Printable((uint)words));
            value = value[(2 * BytesPerWord)..];
        }

        while (!value.IsEmpty)
        {
            var printable = Printable((uint)(random.NextUInt64() >> 32));
            var bytes = Math.Min(BytesPerWord, value.Length);
            for (var index = 0; index < bytes; index++, printable >>= 8)
                value[index] = (byte)printable;
            value = value[bytes..];
        }
    }

    public override bool Verify(long key, ReadOnlySpan<byte> value) =>
        !value.ContainsAnyExceptInRange((byte)' ', (byte)127);

    /// <summary>The six bytes that YCSB makes of an <c>int</c>, the first one lowest.</summary>
    internal static ulong Printable(uint word) =>
        0x2020_2020_2020UL
        + ((word & 31UL)
            | ((word >> 5) & 63UL) << 8
            | ((word >> 10) & 95UL) << 16
            | ((word >> 15) & 31UL) << 24
            | ((word >> 20) & 63UL) << 32
            | ((word >> 25) & 95UL) << 40);
}

/// <summary>redis-benchmark's and valkey-benchmark's (<c>genBenchmarkRandomData</c>): congruential from 1234.</summary>
internal sealed class RedisBenchmarkContent : Content
{
    private readonly byte[] _bytes;

    public RedisBenchmarkContent(int longest)
    {
        _bytes = new byte[longest];
        var state = 1234u;
        foreach (ref var value in _bytes.AsSpan())
        {
            state = (state * 1103515245) + 12345;
            value = (byte)('0' + ((state >> 16) & 63));
        }
    }

    public override bool IsConstant => true;

    public override void Fill(long key, RandomSource random, Span<byte> value) =>
        _bytes.AsSpan(0, value.Length).CopyTo(value);

    public override bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length <= _bytes.Length && value.SequenceEqual(_bytes.AsSpan(0, value.Length));
}
