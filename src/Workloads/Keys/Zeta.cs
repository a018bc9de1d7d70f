namespace RedisLatency.Workloads.Keys;

// Σ i^-θ: a direct sum of the first terms and the Euler–Maclaurin formula for the rest, so that 10^18 terms cost no
// more than 100. Relative error about 10^-14 for θ from 0 to 10.
internal static class Zeta
{
    // Below this term the formula's own error counts, and terms are summed one by one.
    private const long Direct = 64;

    /// <summary>Σ i^-θ for i from 1 to the count.</summary>
    public static double Sum(long count, double theta) => Range(1, count, theta);

    /// <summary>Σ i^-θ for i from the first (at least 1) to the last; zero when the range is empty.</summary>
    public static double Range(long first, long last, double theta)
    {
        var direct = 0.0;
        var end = last - first < 16 ? last : Math.Min(last, Direct - 1);
        for (var term = end; term >= first; term--)
            direct += Math.Pow(term, -theta);
        first = Math.Max(first, end + 1);
        return first > last ? direct : direct + EulerMaclaurin(first, last, theta);
    }

    private static double EulerMaclaurin(double first, double last, double theta)
    {
        var atFirst = Math.Pow(first, -theta);
        var atLast = Math.Pow(last, -theta);
        var logarithm = Math.Log(last / first);
        var integral = first * atFirst * logarithm * RelativeGrowth((1 - theta) * logarithm);
        var sum = integral + ((atFirst + atLast) / 2);

        // B(2k)/(2k)! times the difference of the (2k-1)th derivatives, k = 1 to 4.
        ReadOnlySpan<double> bernoulli = [1.0 / 12, -1.0 / 720, 1.0 / 30_240, -1.0 / 1_209_600];
        var factor = theta;
        for (var k = 0; k < bernoulli.Length; k++)
        {
            atFirst /= k == 0 ? first : first * first;
            atLast /= k == 0 ? last : last * last;
            sum += bernoulli[k] * factor * (atFirst - atLast);
            factor *= (theta + (2 * k) + 1) * (theta + (2 * k) + 2);
        }

        return sum;
    }

    /// <summary>(e^x − 1) / x without cancellation near 0, after Kahan.</summary>
    private static double RelativeGrowth(double x)
    {
        var power = Math.Exp(x);
        return power == 1 ? 1 : Math.Abs(x) > 1 ? (power - 1) / x : (power - 1) / Math.Log(power);
    }
}
