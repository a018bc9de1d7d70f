namespace RedisLatency.Metrics.Tests.Statistics;

/// <summary>
/// A series whose percentiles are known, because it was made: a stationary normal one, in bursts, or drifting.
/// </summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="Rate">Samples per second.</param>
/// <param name="Seconds">How long it is.</param>
internal sealed record SimulatedSeries(string Name, int Rate, int Seconds)
{
    private const double BurstMean = 3;
    private const double BurstDeviation = 2;

    /// <summary>How alike a sample is to the one before.</summary>
    public double Rho { get; init; }

    /// <summary>The share of the variance that is like the sample before; the rest is of the sample alone.</summary>
    public double SlowShare { get; init; } = 1;

    /// <summary>The share of the samples that are in bursts, slower and more scattered.</summary>
    public double BurstShare { get; init; }

    /// <summary>How many samples a burst has, on average.</summary>
    public double BurstLength { get; init; } = 1;

    /// <summary>Whether bursts are equally long and come at equal distances; otherwise both are exponential.</summary>
    public bool IsPeriodic { get; init; }

    /// <summary>By how many standard deviations it rises from its begin to its end.</summary>
    public double Drift { get; init; }

    /// <summary>How many samples there are.</summary>
    public int Count => Rate * Seconds;

    /// <summary>Whether its percentiles stay the same for all of the run.</summary>
    public bool IsStationary => Drift == 0;

    /// <summary>Fills a buffer with another realisation.</summary>
    public void Fill(Span<double> samples, NormalRandom random)
    {
        var state = random.Next();
        var innovation = Math.Sqrt(1 - (Rho * Rho));
        var (slow, fast) = (Math.Sqrt(SlowShare), Math.Sqrt(1 - SlowShare));
        var ends = 1 / BurstLength;
        var begins = ends * BurstShare / (1 - BurstShare);
        var period = BurstLength / BurstShare;
        var phase = random.Uniform();
        var isBurst = phase < BurstShare;
        for (var i = 0; i < samples.Length; i++)
        {
            state = Rho == 0 ? random.Next() : (Rho * state) + (innovation * random.Next());
            var value = SlowShare == 1 ? state : (slow * state) + (fast * random.Next());
            if (BurstShare > 0)
            {
                value = isBurst ? BurstMean + (BurstDeviation * value) : value;
                isBurst = IsPeriodic
                    ? (phase + (i / period)) % 1 < BurstShare
                    : isBurst ^ (random.Uniform() < (isBurst ? ends : begins));
            }

            samples[i] = value + (Drift * (((i + 0.5) / samples.Length) - 0.5));
        }
    }

    /// <summary>The value that a share of all samples does not exceed, in the long run.</summary>
    public double Quantile(double share)
    {
        var (low, high) = (-20.0, 40.0);
        while (high - low > 1e-9)
        {
            var middle = (low + high) / 2;
            (low, high) = ShareBelow(middle) < share ? (middle, high) : (low, middle);
        }

        return low;
    }

    private double ShareBelow(double value)
    {
        const int Steps = 200;
        var sum = 0.0;
        for (var step = 0; step < Steps; step++)
        {
            var shifted = value - (Drift * (((step + 0.5) / Steps) - 0.5));
            sum += ((1 - BurstShare) * NormalShareBelow(shifted))
                + (BurstShare * NormalShareBelow((shifted - BurstMean) / BurstDeviation));
        }

        return sum / Steps;
    }

    // Abramowitz and Stegun, 26.2.17: within 7.5e-8.
    private static double NormalShareBelow(double x)
    {
        var t = 1 / (1 + (0.2316419 * Math.Abs(x)));
        var above = Math.Exp(-x * x / 2) / Math.Sqrt(2 * Math.PI) * t * (0.319381530
            + (t * (-0.356563782 + (t * (1.781477937 + (t * (-1.821255978 + (t * 1.330274429))))))));
        return x < 0 ? above : 1 - above;
    }
}

/// <summary>Normal deviates by Marsaglia's polar method.</summary>
internal sealed class NormalRandom(int seed)
{
    private readonly Random _random = new(seed);
    private double _spare = double.NaN;

    public double Uniform() => _random.NextDouble();

    public double Next()
    {
        if (!double.IsNaN(_spare))
        {
            var spare = _spare;
            _spare = double.NaN;
            return spare;
        }

        double x;
        double y;
        double squares;
        do
        {
            x = (2 * _random.NextDouble()) - 1;
            y = (2 * _random.NextDouble()) - 1;
            squares = (x * x) + (y * y);
        }
        while (squares is >= 1 or 0);

        var scale = Math.Sqrt(-2 * Math.Log(squares) / squares);
        _spare = y * scale;
        return x * scale;
    }
}
