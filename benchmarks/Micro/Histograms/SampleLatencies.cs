namespace RedisLatency.Micro.Histograms;

/// <summary>Latencies as a run has them: log-normal around 60 µs, and always the same ones.</summary>
internal static class SampleLatencies
{
    private const int Seed = 20240229;
    private const double MedianNs = 60_000;
    private const double Spread = 0.6;

    public static long[] Take(int count)
    {
        var random = new Random(Seed);
        var latencies = new long[count];
        for (var i = 0; i < count; i++)
        {
            // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
            var radius = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble()));
            var normal = radius * Math.Cos(2 * Math.PI * random.NextDouble());
            latencies[i] = (long)(MedianNs * Math.Exp(Spread * normal));
        }

        return latencies;
    }
}
