using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Distributions;

internal sealed record DistributionKind(
    string Name, IReadOnlyList<DistributionParameter> Parameters, DistributionKind.Creation Create)
{
    private static readonly DistributionParameter Theta = new(
        0.99, value => value is > 0 and <= 10, "a skew above 0 and at most 10");

    private static readonly DistributionParameter GraysTheta = new(
        0.99, value => value is > 0 and < 1, "a skew above 0 and below 1");

    public delegate KeyChooser Creation(KeySpace space, IReadOnlyList<double?> values, int worker, int workers);

    public static IReadOnlyList<DistributionKind> All { get; } =
    [
        new("uniform", [], (space, _, _, _) => new UniformChooser(space)),
        new("zipfian", [Theta], (space, values, _, _) => new ZipfianChooser(space, values[0]!.Value)),
        new("scrambled", [Theta], (space, values, _, _) => new ScrambledChooser(space, values[0]!.Value)),
        new("ycsb", [], (space, _, _, _) => new YcsbScrambledChooser(space)),
        new("latest", [GraysTheta], (space, values, _, _) => new LatestChooser(space, values[0]!.Value)),
        new("newest", [Theta], (space, values, _, _) => new NewestChooser(space, values[0]!.Value)),
        new("hotspot", [Share(0.2, "the keys"), Share(0.8, "the operations")],
            (space, values, _, _) => new HotspotChooser(space, values[0]!.Value, values[1]!.Value)),
        new("exponential",
            [
                new(95, value => value is > 0 and < 100, "a percentage of the operations above 0 and below 100"),
                new(0.8571428571, value => value is > 0 and <= 1, "a share of the keys above 0 and at most 1"),
            ],
            (space, values, _, _) => new ExponentialChooser(space, values[0]!.Value, values[1]!.Value)),
        new("gaussian",
            [
                new(null, value => value is >= 0 and <= KeySpace.HighestIndex, "the index of a key"),
                new(null, value => value is >= 1e-3 and <= 1e30, "a standard deviation in keys, at least 0.001"),
            ],
            (space, values, _, _) => new GaussianChooser(space, values[0], values[1])),
        new("sequential", [], (space, _, worker, workers) => new SequentialChooser(space, worker, workers)),
        new("partitioned", [], (space, _, worker, workers) => new PartitionedChooser(space, worker, workers)),
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
