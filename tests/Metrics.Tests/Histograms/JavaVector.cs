using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>
/// How a histogram was filled, what the Java HdrHistogram 2.1.12 reports of it, and the SHA-256 of its uncompressed V2
/// encoding there; the encodings themselves are in the shared reference and, where they are small, in the tests.
/// </summary>
public sealed record JavaVector(
    string Name,
    int Digits,
    Action<LatencyHistogram> Fill,
    long Total,
    long Min,
    long Max,
    double Mean,
    double StandardDeviation,
    long[] Values,
    string EncodingSha256)
{
    /// <summary>The percentiles whose <see cref="Values"/> the vector has.</summary>
    public static double[] Percentiles { get; } = [0, 25, 50, 90, 95, 99, 99.9, 99.99, 99.999, 100];

    /// <summary>The histogram after the vector's recipe.</summary>
    public LatencyHistogram Filled()
    {
        var histogram = new LatencyHistogram(1, 3_600_000_000_000, Digits);
        Fill(histogram);
        return histogram;
    }

    public override string ToString() => Name;
}
