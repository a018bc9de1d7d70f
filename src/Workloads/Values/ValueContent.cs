using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Values;

/// <summary>
/// As users write it: constant (memtier's x), redis-benchmark, ycsb, random (anew for every request), compressible:4
/// (to a quarter), deterministic (by key: can be checked when read). Immutable.
/// </summary>
internal sealed class ValueContent
{
    private const string Compressible = "compressible";

    private static readonly (string Name, Func<int, IContent> Create)[] Kinds =
    [
        ("constant", _ => new ConstantContent()),
        ("redis-benchmark", longest => new RedisBenchmarkContent(longest)),
        ("ycsb", _ => new YcsbContent()),
        ("random", _ => new RandomContent()),
        ("deterministic", _ => new DeterministicContent()),
    ];

    private static readonly ValueSyntax<double> Ratio = Syntax.Number(1, 30);

    private readonly string _text;
    private readonly Func<int, IContent> _create;

    private ValueContent(string text, Func<int, IContent> create) => (_text, _create) = (text, create);

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

    public IContent Create(int longest) => _create(longest);

    public override string ToString() => _text;
}
