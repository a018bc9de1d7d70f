using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

/// <summary>The probability of every key from 0 on, from the definitions of the distributions.</summary>
internal static class ExactProbabilities
{
    public static double[] Of(string distribution, int count) => distribution switch
    {
        "uniform" => Normalised(count, _ => 1),
        "zipfian" => Zipfian(count, 0.99),
        "zipfian:1.2" => Zipfian(count, 1.2),
        "newest" => [.. Zipfian(count, 0.99).Reverse()],
        "newest:0.5" => [.. Zipfian(count, 0.5).Reverse()],
        "scrambled" => Scrambled(count, 0.99),
        "scrambled:1.2" => Scrambled(count, 1.2),
        "hotspot" => Hotspot(count, 0.2, 0.8),
        "hotspot:0.05,0.5" => Hotspot(count, 0.05, 0.5),
        "exponential" => Exponential(count, 95, 0.8571428571),
        "exponential:50,0.1" => Exponential(count, 50, 0.1),
        "gaussian" => Gaussian(count, count / 2.0, (count - 1) / 6.0),
        "gaussian:100,80" => Gaussian(count, 100, 80),
        "gaussian:0,1000000" => Gaussian(count, 0, 1_000_000),
        _ => throw new ArgumentOutOfRangeException(nameof(distribution), distribution, "unknown"),
    };

    private static double[] Zipfian(int count, double theta) => Normalised(count, key => Math.Pow(key + 1, -theta));

    private static double[] Scrambled(int count, double theta)
    {
        var byRank = Zipfian(count, theta);
        var permutation = new Permutation(count);
        var byKey = new double[count];
        for (var rank = 0; rank < count; rank++)
            byKey[permutation[rank]] += byRank[rank];
        return byKey;
    }

    private static double[] Hotspot(int count, double keyShare, double operationShare)
    {
        var hot = (int)(count * keyShare);
        return Normalised(count, key => key < hot ? operationShare / hot : (1 - operationShare) / (count - hot));
    }

    private static double[] Exponential(int count, double percentile, double share)
    {
        var rate = -Math.Log(1 - (percentile / 100)) / (count * share);
        return Normalised(count, key => Math.Exp(-rate * (count - 1 - key)));
    }

    private static double[] Gaussian(int count, double median, double deviation)
    {
        double Density(double x) => Math.Exp(-(x - median) * (x - median) / (2 * deviation * deviation));
        return Normalised(count, key => (Density(key) + (4 * Density(key + 0.5)) + Density(key + 1)) / 6);
    }

    private static double[] Normalised(int count, Func<int, double> weight)
    {
        var weights = Enumerable.Range(0, count).Select(weight).ToArray();
        var total = weights.Sum();
        return [.. weights.Select(one => one / total)];
    }
}
