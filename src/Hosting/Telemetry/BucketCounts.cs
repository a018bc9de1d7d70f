namespace RedisLatency.Hosting.Telemetry;

/// <summary>How many values are at most each bound, ascending and without infinity.</summary>
internal sealed class BucketCounts(IReadOnlyList<double> bounds)
{
    private readonly long[] _counts = new long[bounds.Count + 1];

    public double Sum { get; private set; }

    public long Count { get; private set; }

    /// <summary>Adds a value, not negative, so many times.</summary>
    public void Add(double value, long count = 1)
    {
        var bucket = 0;
        while (bucket < bounds.Count && value > bounds[bucket])
            bucket++;
        _counts[bucket] += count;
        Sum += value * count;
        Count += count;
    }

    /// <summary>The bounds, infinity last, each with how many values are at most that.</summary>
    public IEnumerable<(double Bound, long UpTo)> Cumulative()
    {
        long upTo = 0;
        for (var i = 0; i < _counts.Length; i++)
        {
            upTo += _counts[i];
            yield return (i < bounds.Count ? bounds[i] : double.PositiveInfinity, upTo);
        }
    }
}
