using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Statistics;

/// <summary>
/// How often the interval of a percentile is given, and has the truth in it, over many runs of a series.
/// </summary>
/// <param name="Percentile">Which percentile.</param>
/// <param name="Runs">How many runs there were.</param>
/// <param name="Given">In how many of them it had an interval.</param>
/// <param name="Covered">How many of those had the truth in them.</param>
internal sealed record Coverage(double Percentile, int Runs, int Given, int Covered)
{
    private const int BlocksPerSecond = 16;
    private const int MostBlocksPerRun = 128;
    private const double MedianNs = 20_000;
    private const long HighestNs = 1_000_000;
    private const double Scale = 0.25;

    /// <summary>The percentiles that are looked at.</summary>
    public static readonly double[] Percentiles = [50, 90, 99, 99.9];

    /// <summary>The share of the intervals given that have the truth in them.</summary>
    public double Share => (double)Covered / Given;

    /// <summary>Simulates the runs, each in blocks as a reporter takes them.</summary>
    public static Coverage[] Of(SimulatedSeries series, int runs)
    {
        double[] truths = [.. Percentiles.Select(percentile => Latency(series.Quantile(percentile / 100)))];
        var given = new int[truths.Length];
        var covered = new int[truths.Length];
        Parallel.For(0, runs, () => new double[series.Count], (run, _, samples) =>
        {
            var rows = Run(series, run, samples);
            for (var i = 0; i < rows.Length; i++)
            {
                if (rows[i].Lower is not { } lower || rows[i].Upper is not { } upper)
                    continue;
                Interlocked.Increment(ref given[i]);
                if (lower <= truths[i] && truths[i] <= upper)
                    Interlocked.Increment(ref covered[i]);
            }

            return samples;
        }, _ => { });
        return [.. Percentiles.Select((percentile, i) => new Coverage(percentile, runs, given[i], covered[i]))];
    }

    /// <inheritdoc/>
    public override string ToString() => Given == 0
        ? "not given"
        : string.Create(CultureInfo.InvariantCulture, $"{100 * Share:0.0} % of {100.0 * Given / Runs:0} %");

    private static PercentileRow[] Run(SimulatedSeries series, int seed, double[] samples)
    {
        series.Fill(samples, new NormalRandom(seed));
        var total = new LatencyHistogram(1, HighestNs, 3);
        var block = new LatencyHistogram(1, HighestNs, 3);
        var blocks = new SampleBlocks();
        var ticks = Math.Min(series.Seconds * BlocksPerSecond, MostBlocksPerRun);
        for (var tick = 0; tick < ticks; tick++)
        {
            for (var i = EndOf(tick - 1); i < EndOf(tick); i++)
                block.Record((long)Latency(samples[i]));
            blocks.Move(block, TimeSpan.FromSeconds((double)series.Seconds / ticks), total);
        }

        return [.. Percentiles.Select(percentile => PercentileRow.Of(total, percentile, blocks))];

        int EndOf(int tick) => (int)((long)samples.Length * (tick + 1) / ticks);
    }

    private static double Latency(double deviations) => MedianNs * Math.Exp(Scale * deviations);
}
