using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Heartbeat.Windows;

/// <summary>
/// The mean delay of the last 1, 5 and 15 minutes, as pt-heartbeat shows them: kept by seconds, so that nothing grows.
/// Thread safe.
/// </summary>
internal sealed class MovingAverages
{
    private const int Seconds = 15 * 60;
    private const long SecondNs = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly long[] _whichSecond = new long[Seconds];
    private readonly double[] _sums = new double[Seconds];
    private readonly long[] _counts = new long[Seconds];

    /// <summary>Adds a delay that was found now.</summary>
    public void Add(long delayNs)
    {
        var second = MonotonicClock.NowNs() / SecondNs;
        var slot = second % Seconds;
        lock (_gate)
        {
            if (_whichSecond[slot] != second)
                (_whichSecond[slot], _sums[slot], _counts[slot]) = (second, 0, 0);
            _sums[slot] += delayNs;
            _counts[slot]++;
        }
    }

    /// <summary>The mean of the last minutes, in nanoseconds; null where nothing came in them.</summary>
    /// <param name="minutes">How many: 15 at the most.</param>
    public double? Of(int minutes)
    {
        var oldest = (MonotonicClock.NowNs() / SecondNs) - (minutes * 60);
        double sum = 0;
        long count = 0;
        lock (_gate)
        {
            for (var slot = 0; slot < Seconds; slot++)
            {
                if (_whichSecond[slot] <= oldest)
                    continue;
                sum += _sums[slot];
                count += _counts[slot];
            }
        }

        return count == 0 ? null : sum / count;
    }
}
