using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

// How long values are, in bytes: 100 or 1KiB, a range (64..4096, memtier's 64-4096), spread by a distribution
// (1..1000/zipfian: the shortest are the most frequent), or by weight (memtier's 32:50,1024:1). Immutable.
internal sealed class ValueSize
{
    /// <summary>The longest value that Redis stores as it is configured by default: 512 MiB.</summary>
    public const int Longest = 512 << 20;

    private const string Wanted =
        "a size (100, 1KiB), a range (64..4096), a range and a distribution (1..1000/zipfian:0.99) or the record "
        + "(64..4096/by-key), sizes with weights (32:50,1024:1) or histogram:FILE is needed";

    private const string ByKey = "by-key";
    private const string Histogram = "histogram:";

    private static readonly ValueSyntax<long> Length = Syntax.Size(0, Longest);

    private static readonly ValueSyntax<double> Weight = Syntax.Number(0, 1e15);

    private readonly string _text;
    private readonly KeyDistribution? _distribution;
    private readonly (int Length, double Weight)[] _weighted;

    private ValueSize(string text, int minimum, int maximum, KeyDistribution distribution)
    {
        _text = text;
        Minimum = minimum;
        Maximum = maximum;
        _distribution = distribution;
        _weighted = [];
    }

    private ValueSize(string text, (int Length, double Weight)[] weighted)
    {
        _text = text;
        Minimum = weighted.Min(item => item.Length);
        Maximum = weighted.Max(item => item.Length);
        _weighted = weighted;
    }

    public int Minimum { get; }

    public int Maximum { get; }

    public bool IsConstant => Minimum == Maximum;

    /// <summary>Whether a value is the longer the later its record comes, as memtier's data size pattern S.</summary>
    public bool IsByKey { get; private init; }

    public static ValueReading<ValueSize> Read(string text)
    {
        if (text.StartsWith(Histogram, StringComparison.Ordinal))
        {
            var items = LengthHistogram.Read(text[Histogram.Length..]);
            return items.Problem is { } wrong ? Wrong(wrong) : ValueReading.Of(new ValueSize(text, items.Value ?? []));
        }

        if (text.Contains(':', StringComparison.Ordinal) && !text.Contains('/', StringComparison.Ordinal))
            return ReadWeighted(text);
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        var isByKey = slash >= 0 && text[(slash + 1)..] == ByKey;
        var distribution = slash < 0 || isByKey
            ? ValueReading.Of(KeyDistribution.Uniform)
            : ReadDistribution(text[(slash + 1)..]);
        if (distribution.Value is not { } spread)
            return Wrong(distribution.Problem ?? Wanted);
        var range = slash < 0 ? text : text[..slash];
        var (from, to) = Split(range);
        var least = Length.Read(from);
        var most = Length.Read(to);
        if ((least.Problem ?? most.Problem) is { } problem)
            return Wrong(char.IsAsciiDigit(text.FirstOrDefault()) ? problem : Wanted);
        if (least.Value > most.Value)
            return Wrong("a range goes from the smaller size to the larger one");
        if (slash >= 0 && ReferenceEquals(from, to))
            return Wrong("a distribution needs a range to spread over, for instance 1..1000/zipfian");
        var size = new ValueSize(text, (int)least.Value, (int)most.Value, spread) { IsByKey = isByKey };
        return spread.Problem(new KeySpace(least.Value, most.Value - least.Value + 1)) is { } misfit
            ? Wrong(misfit)
            : ValueReading.Of(size);
    }

    public static string? Problem(string text) => Read(text).Problem;

    public static ValueSize Parse(string text) =>
        Read(text) is { Problem: null, Value: { } size } ? size : throw new FormatException($"{text}: {Problem(text)}");

    public LengthChooser Create() => IsConstant
        ? new LengthChooser([(Minimum, 1)])
        : _distribution is null
            ? new LengthChooser(_weighted)
            : new LengthChooser(_distribution.Create(new KeySpace(Minimum, Maximum - Minimum + 1), 0, 1));

    public override string ToString() => _text;

    private static (string From, string To) Split(string range) =>
        range.Split("..", 2) is [var least, var most] ? (least, most)
        : range.Split('-', 2) is [var from, var to] ? (from, to)
        : (range, range);

    private static ValueReading<KeyDistribution> ReadDistribution(string text)
    {
        var distribution = KeyDistribution.Read(text);
        return distribution.Value is { Name: "partitioned" or "ycsb" } or { IsByConnection: true }
            ? ValueReading.Wrong<KeyDistribution>($"{distribution.Value.Name} spreads keys, not sizes")
            : distribution;
    }

    private static ValueReading<ValueSize> ReadWeighted(string text)
    {
        var items = new List<(int, double)>();
        foreach (var item in text.Split(','))
        {
            if (item.Split(':') is not [var lengthText, var weightText])
                return Wrong($"'{item}' is not a size with its weight, for instance 32:50");
            var length = Length.Read(lengthText);
            var weight = Weight.Read(weightText);
            if (length.Problem is not null)
                return Wrong($"in '{item}': {length.Problem}");
            if (weight.Problem is not null || weight.Value <= 0)
                return Wrong($"in '{item}': a weight is a number above 0 and at most 1e15");
            items.Add(((int)length.Value, weight.Value));
        }

        return ValueReading.Of(new ValueSize(text, [.. items]));
    }

    private static ValueReading<ValueSize> Wrong(string problem) => ValueReading.Wrong<ValueSize>(problem);
}

/// <summary>Chooses the lengths of one worker's values. A draw allocates nothing.</summary>
internal sealed class LengthChooser
{
    private readonly KeyChooser? _spread;
    private readonly int[] _lengths = [];
    private readonly double[] _upTo = [];

    public LengthChooser(KeyChooser spread) => _spread = spread;

    public LengthChooser(IReadOnlyList<(int Length, double Weight)> weighted)
    {
        var total = weighted.Sum(item => item.Weight);
        _lengths = [.. weighted.Select(item => item.Length)];
        _upTo = new double[_lengths.Length];
        var sum = 0.0;
        for (var index = 0; index < _upTo.Length; index++)
            _upTo[index] = (sum += weighted[index].Weight) / total;
    }

    public int Next(RandomSource random)
    {
        if (_spread is not null)
            return (int)_spread.Next(random);
        return _lengths.Length == 1 ? _lengths[0] : Weighted(random.NextDouble());
    }

    private int Weighted(double uniform)
    {
        var index = 0;
        while (index < _upTo.Length - 1 && uniform >= _upTo[index])
            index++;
        return _lengths[index];
    }
}
