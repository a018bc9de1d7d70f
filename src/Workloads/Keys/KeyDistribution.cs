using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Keys;

// How often each key is chosen, as users write it: uniform, zipfian, scrambled:1.2, ycsb, latest, newest,
// hotspot:0.2,0.8, exponential:95,0.857, gaussian:5000,100, sequential, partitioned, sequential-each, partitioned-each.
// Numbers left out have the default of YCSB or memtier.
internal sealed class KeyDistribution
{
    private readonly DistributionKind _kind;
    private readonly double?[] _values;

    public bool IsSequence => _kind.Name is "sequential" or "partitioned" || IsByConnection;

    /// <summary>Whether every connection has a sequence of its own.</summary>
    public bool IsByConnection => _kind.Name is "sequential-each" or "partitioned-each";

    private KeyDistribution(DistributionKind kind, double?[] values) => (_kind, _values) = (kind, values);

    public static KeyDistribution Uniform { get; } = Parse("uniform");

    public string Name => _kind.Name;

    public static ValueReading<KeyDistribution> Read(string text)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var name = colon < 0 ? text : text[..colon];
        if (DistributionKind.All.FirstOrDefault(kind => kind.Name == name) is not { } kind)
        {
            return ValueReading.Wrong<KeyDistribution>(
                "a distribution is needed: " + string.Join(", ", DistributionKind.All.Select(known => known.Name))
                + "; numbers may follow, for instance zipfian:0.99 or hotspot:0.2,0.8");
        }

        var parts = colon < 0 ? [] : text[(colon + 1)..].Split(',');
        if (parts.Length > kind.Parameters.Count)
            return ValueReading.Wrong<KeyDistribution>(TooMany(kind));

        var values = kind.Parameters.Select(parameter => parameter.Default).ToArray();
        for (var index = 0; index < parts.Length; index++)
        {
            var reading = kind.Parameters[index].Read(parts[index]);
            if (reading.Problem is { } problem)
                return ValueReading.Wrong<KeyDistribution>(problem);
            values[index] = reading.Value;
        }

        return ValueReading.Of(new KeyDistribution(kind, values));
    }

    public static string? Problem(string text) => Read(text).Problem;

    public static KeyDistribution Parse(string text) =>
        Read(text) is { Problem: null, Value: { } distribution } ? distribution
            : throw new FormatException($"{text}: {Problem(text)}");

    public string? Problem(KeySpace space) => Name switch
    {
        "gaussian" when _values[0] < space.First || _values[0] > space.Last =>
            $"the median of {this} lies outside the keys, which go from {space.First} to {space.Last}",
        "ycsb" when space.ExpectedInserts / space.Count >= 1000 =>
            $"ycsb draws again while it hits one of the {space.ExpectedInserts} keys that are only expected: with "
            + $"{space.Count} keys at the start it would hardly ever end; load more of them or use scrambled",
        _ => null,
    };

    public KeyChooser Create(KeySpace space, int worker, int workers, int connections = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(worker);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(worker, workers);
        return Problem(space) is { } problem
            ? throw new ArgumentException(problem, nameof(space))
            : _kind.Create(space, _values, new ChooserShare(worker, workers, connections));
    }

    public override string ToString()
    {
        var given = _values.TakeWhile(value => value is not null).OfType<double>().Select(DistributionParameter.Write);
        return _values is [null, ..] or [] ? Name : $"{Name}:{string.Join(',', given)}";
    }

    private static string TooMany(DistributionKind kind)
    {
        var wanted = string.Join(", ", kind.Parameters.Select(parameter => parameter.Wanted));
        return kind.Parameters.Count switch
        {
            0 => $"{kind.Name} takes no numbers",
            1 => $"{kind.Name} takes at most 1 number: {wanted}",
            var most => $"{kind.Name} takes at most {most} numbers: {wanted}",
        };
    }
}

internal sealed record DistributionKind(
    string Name, IReadOnlyList<DistributionParameter> Parameters, DistributionKind.Creation Create)
{
    private static readonly DistributionParameter Theta = new(
        0.99, value => value is > 0 and <= 10, "a skew above 0 and at most 10");

    private static readonly DistributionParameter GraysTheta = new(
        0.99, value => value is > 0 and < 1, "a skew above 0 and below 1");

    public delegate KeyChooser Creation(KeySpace space, IReadOnlyList<double?> values, ChooserShare place);

    public static IReadOnlyList<DistributionKind> All { get; } =
    [
        new("uniform", [], (space, _, _) => new UniformChooser(space)),
        new("zipfian", [Theta], (space, values, _) => new ZipfianChooser(space, values[0]!.Value)),
        new("scrambled", [Theta], (space, values, _) => new ScrambledChooser(space, values[0]!.Value)),
        new("ycsb", [], (space, _, _) => new YcsbScrambledChooser(space)),
        new("latest", [GraysTheta], (space, values, _) => new LatestChooser(space, values[0]!.Value)),
        new("newest", [Theta], (space, values, _) => new NewestChooser(space, values[0]!.Value)),
        new("hotspot", [Share(0.2, "the keys"), Share(0.8, "the operations")],
            (space, values, _) => new HotspotChooser(space, values[0]!.Value, values[1]!.Value)),
        new("exponential",
            [
                new(95, value => value is > 0 and < 100, "a percentage of the operations above 0 and below 100"),
                new(0.8571428571, value => value is > 0 and <= 1, "a share of the keys above 0 and at most 1"),
            ],
            (space, values, _) => new ExponentialChooser(space, values[0]!.Value, values[1]!.Value)),
        new("gaussian",
            [
                new(null, value => value is >= 0 and <= KeySpace.HighestIndex, "the index of a key"),
                new(null, value => value is >= 1e-3 and <= 1e30, "a standard deviation in keys, at least 0.001"),
            ],
            (space, values, _) => new GaussianChooser(space, values[0], values[1])),
        new("sequential", [], (space, _, place) => new SequentialChooser(space, place.Worker, place.Workers)),
        new("partitioned", [], (space, _, place) => new PartitionedChooser(space, place.Worker, place.Workers)),
        new("sequential-each", [], (space, _, place) => new ConnectionChooser(space, place with { Workers = 0 })),
        new("partitioned-each", [], (space, _, place) => new ConnectionChooser(space, place)),
    ];

    private static DistributionParameter Share(double usual, string whole) =>
        new(usual, value => value is >= 0 and <= 1, $"a share of {whole} from 0 to 1");
}

/// <summary>A number that a distribution takes, and in words which ones; without a default the keys decide.</summary>
internal sealed record DistributionParameter(double? Default, Func<double, bool> IsAllowed, string Wanted)
{
    private static readonly ValueSyntax<double> Number = Syntax.Number(double.MinValue, double.MaxValue);

    public ValueReading<double> Read(string text) => Number.Read(text) is { Problem: null } number
        && IsAllowed(number.Value)
            ? number
            : ValueReading.Wrong<double>($"'{text}' is not {Wanted}");

    public static string Write(double value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The key of rank r (from 0) in proportion to (r + 1)^-θ, exactly; side by side, as memtier's Z.</summary>
internal sealed class ZipfianChooser(KeySpace space, double theta) : KeyChooser(space)
{
    private readonly ZipfianRanks _ranks = new(space.Count, theta);

    public override long Next(RandomSource random) => First + _ranks.Next(random);

    protected override void Resize() => _ranks.Grow(Count);
}

/// <summary>Zipfian by age, exactly: unlike YCSB's it draws the first key too; skew follows the keys' number.</summary>
internal sealed class NewestChooser(KeySpace space, double theta) : KeyChooser(space)
{
    private readonly ZipfianRanks _ages = new(space.Count, theta);

    public override long Next(RandomSource random) => First + Count - 1 - _ages.Next(random);

    protected override void Resize() => _ages.Grow(Count);
}

// A share of the operations goes to the first keys, the rest to the others, both evenly. Source: YCSB 0.18,
// site.ycsb.generator.HotspotIntegerGenerator, with 64-bit sets. The hot set keeps its share when keys are
// added; where one of the two is empty, all goes to the other.
internal sealed class HotspotChooser : KeyChooser
{
    private readonly double _keyShare;
    private readonly double _operationShare;
    private long _hot;
    private double _threshold;

    public HotspotChooser(KeySpace space, double keyShare, double operationShare)
        : base(space)
    {
        _keyShare = keyShare;
        _operationShare = operationShare;
        Resize();
    }

    public override long Next(RandomSource random) => random.NextDouble() < _threshold
        ? First + (long)random.Below((ulong)_hot)
        : First + _hot + (long)random.Below((ulong)(Count - _hot));

    protected override void Resize()
    {
        _hot = Math.Min(Count, (long)(Count * _keyShare));
        _threshold = _hot == 0 ? 0 : _hot == Count ? 1 : _operationShare;
    }
}

// Popularity falls exponentially with age: a percentage of the operations falls on a share of the keys. Source: YCSB
// 0.18, site.ycsb.generator.ExponentialGenerator, which draws again where there is no such key; here the same
// truncated distribution is drawn by inversion. As there, the scale stays that of the keys at the start.
internal sealed class ExponentialChooser : KeyChooser
{
    private readonly double _rate;
    private double _within;
    private CoarseCells _cells;

    public ExponentialChooser(KeySpace space, double percentile, double share)
        : base(space)
    {
        _rate = -Math.Log(1 - (percentile / 100)) / (space.Count * share);
        Resize();
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var age = _cells.At(-Math.Log(1 - (random.NextDouble() * _within)) / _rate, random);
            if (age < Count)
                return First + Count - 1 - age;
        }
    }

    protected override void Resize()
    {
        _within = 1 - Math.Exp(-_rate * Count);
        _cells = new CoarseCells(Count);
    }
}

// A bell around the median key, cut off at both ends: memtier's G (gaussian_distribution_range of its
// obj_gen.cpp, Marsaglia's polar method), by default the middle of the range and a sixth of it. Where the bell is
// wider than the range, even candidates are rejected by its height instead, so that a draw always ends soon.
internal sealed class GaussianChooser : KeyChooser
{
    private readonly double? _median;
    private readonly double? _deviation;
    private double _centre;
    private double _spread;
    private CoarseCells _cells;

    /// <summary>Without a median it is the keys' middle, which moves when keys are added.</summary>
    public GaussianChooser(KeySpace space, double? median, double? deviation)
        : base(space)
    {
        _median = median;
        _deviation = deviation;
        Resize();
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var draw = _spread > Count / 2.0 ? Wide(random) : _centre + (_spread * Normal(random));
            if (!(draw >= 0 && draw < Count))
                continue;
            var position = _cells.At(draw, random);
            if (position < Count)
                return First + position;
        }
    }

    protected override void Resize()
    {
        _centre = _median is { } median ? median - First : Count / 2.0;
        _spread = _deviation ?? Math.Max(Count - 1, 1e-3) / 6;
        _cells = new CoarseCells(Count);
    }

    private double Wide(RandomSource random)
    {
        while (true)
        {
            var candidate = random.NextDouble() * Count;
            var distance = (candidate - _centre) / _spread;
            if (random.NextDouble() < Math.Exp(-distance * distance / 2))
                return candidate;
        }
    }

    private static double Normal(RandomSource random)
    {
        while (true)
        {
            var x = (random.NextDouble() * 2) - 1;
            var y = (random.NextDouble() * 2) - 1;
            var square = (x * x) + (y * y);
            if (square is > 0 and < 1)
                return x * Math.Sqrt(-2 * Math.Log(square) / square);
        }
    }
}
