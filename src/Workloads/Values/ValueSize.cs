using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>
/// In bytes: 100 or 1KiB, a range (64..4096, memtier's 64-4096), spread by a distribution (1..1000/zipfian: the
/// shortest are the most frequent), or by weight (memtier's 32:50,1024:1). Immutable.
/// </summary>
internal sealed class ValueSize
{
    /// <summary>The longest value that Redis stores as it is configured by default: 512 MiB.</summary>
    public const int Longest = 512 << 20;

    private readonly string _text;
    private readonly KeyDistribution? _distribution;
    private readonly (int Length, double Weight)[] _weighted;

    internal ValueSize(string text, int minimum, int maximum, KeyDistribution distribution)
    {
        _text = text;
        Minimum = minimum;
        Maximum = maximum;
        _distribution = distribution;
        _weighted = [];
    }

    internal ValueSize(string text, (int Length, double Weight)[] weighted)
    {
        _text = text;
        Minimum = weighted.Min(item => item.Length);
        Maximum = weighted.Max(item => item.Length);
        _weighted = weighted;
    }

    public int Minimum { get; }

    public int Maximum { get; }

    public bool IsConstant => Minimum == Maximum;

    public static ValueReading<ValueSize> Read(string text) => ValueSizeSyntax.Read(text);

    public static string? Problem(string text) => Read(text).Problem;

    public static ValueSize Parse(string text) =>
        Read(text) is { Problem: null, Value: { } size } ? size : throw new FormatException($"{text}: {Problem(text)}");

    public LengthChooser Create() => IsConstant
        ? new LengthChooser(Minimum)
        : _distribution is null
            ? new LengthChooser(_weighted)
            : new LengthChooser(_distribution.Create(new KeySpace(Minimum, Maximum - Minimum + 1), 0, 1));

    public override string ToString() => _text;
}
