using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// The mean delay of the last 1, 5 and 15 minutes, as pt-heartbeat shows them: kept by seconds, so that nothing
/// grows. Thread safe.
/// </summary>
internal sealed class MovingAverages
{
    private const int Seconds = 15 * 60;
    private const long SecondNs = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly long[] _whichSecond = new long[Seconds];
    private readonly double[] _sums = new double[Seconds];
    private readonly long[] _counts = new long[Seconds];
    private readonly long[] _missing = new long[Seconds];

    public void Add(long delayNs)
    {
        lock (_gate)
        {
            var slot = SlotOfNow();
            _sums[slot] += delayNs;
            _counts[slot]++;
        }
    }

    public void AddMissing(long heartbeats)
    {
        lock (_gate)
            _missing[SlotOfNow()] += heartbeats;
    }

    public WindowFigure Of(int minutes, long overdue)
    {
        var oldest = (MonotonicClock.NowNs() / SecondNs) - (minutes * 60);
        double sum = 0;
        long count = 0;
        var missing = overdue;
        lock (_gate)
        {
            for (var slot = 0; slot < Seconds; slot++)
            {
                if (_whichSecond[slot] <= oldest)
                    continue;
                sum += _sums[slot];
                count += _counts[slot];
                missing += _missing[slot];
            }
        }

        var mean = sum / count;
        return count == 0 ? default
            : missing > 0 ? WindowFigure.AtLeast(mean)
            : new WindowFigure(mean, mean, mean);
    }

    private long SlotOfNow()
    {
        var second = MonotonicClock.NowNs() / SecondNs;
        var slot = second % Seconds;
        if (_whichSecond[slot] != second)
            (_whichSecond[slot], _sums[slot], _counts[slot], _missing[slot]) = (second, 0, 0, 0);
        return slot;
    }
}
