namespace RedisLatency.Metrics.Probes;

/// <summary>
/// Where most of several claimed intervals meet: Marzullo's algorithm (also RFC 5905, section 11.2.1). Intervals are
/// closed: two that touch in one point meet there.
/// </summary>
public static class IntervalIntersection
{
    /// <summary>Every segment that as many intervals cover as cover any, from low to high.</summary>
    /// <param name="intervals">Each as its low and high end.</param>
    /// <returns>The segments, and how many intervals cover each of them; none where no interval is given.</returns>
    /// <exception cref="ArgumentException">An interval ends before it starts.</exception>
    public static (IReadOnlyList<(long Low, long High)> Segments, int Covered) Find(
        IReadOnlyList<(long Low, long High)> intervals)
    {
        ArgumentNullException.ThrowIfNull(intervals);
        var edges = new (long At, int Change)[intervals.Count * 2];
        for (var i = 0; i < intervals.Count; i++)
        {
            if (intervals[i].Low > intervals[i].High)
                throw new ArgumentException($"Interval {i} ends before it starts.", nameof(intervals));
            edges[2 * i] = (intervals[i].Low, 1);
            edges[(2 * i) + 1] = (intervals[i].High, -1);
        }

        // Beginnings before ends, so that closed intervals which touch are seen to meet.
        Array.Sort(edges, static (x, y) => x.At != y.At ? x.At.CompareTo(y.At) : y.Change.CompareTo(x.Change));
        var segments = new List<(long, long)>();
        int covered = 0, most = 0;
        for (var i = 0; i < edges.Length; i++)
        {
            covered += edges[i].Change;
            if (edges[i].Change < 0 || covered < most)
                continue;
            if (covered > most)
                segments.Clear();
            most = covered;
            segments.Add((edges[i].At, edges[i + 1].At));
        }

        return (segments, most);
    }
}
