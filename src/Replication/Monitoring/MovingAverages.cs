using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Monitoring;

/// <summary>Mean delays of the last 1, 5 and 15 minutes, as pt-heartbeat's, kept by seconds. Thread safe.</summary>
internal sealed class MovingAverages
{
    private const int Seconds = 15 * 60;
    private const long SecondNs = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly Sums[] _slots = new Sums[Seconds];

    public void Add(long leastNs, long mostNs)
    {
        lock (_gate)
        {
            ref var now = ref SlotOfNow();
            (now.LeastNs, now.MostNs, now.Count) = (now.LeastNs + leastNs, now.MostNs + mostNs, now.Count + 1);
        }
    }

    public void AddMissing(long heartbeats)
    {
        lock (_gate)
            SlotOfNow().Missing += heartbeats;
    }

    public WindowFigure Of(int minutes, long overdue)
    {
        var oldest = (MonotonicClock.NowNs() / SecondNs) - (minutes * 60);
        var sum = new Sums { Missing = overdue };
        lock (_gate)
        {
            foreach (var slot in _slots.Where(slot => slot.Second > oldest))
            {
                sum.LeastNs += slot.LeastNs;
                sum.MostNs += slot.MostNs;
                sum.Count += slot.Count;
                sum.Missing += slot.Missing;
            }
        }

        var (least, most) = (sum.LeastNs / sum.Count, sum.MostNs / sum.Count);
        return sum.Count == 0 ? default
            : sum.Missing > 0 ? WindowFigure.AtLeast(least)
            : WindowFigure.Between(least, (least + most) / 2, most);
    }

    private ref Sums SlotOfNow()
    {
        var second = MonotonicClock.NowNs() / SecondNs;
        ref var slot = ref _slots[second % Seconds];
        if (slot.Second != second)
            slot = new Sums { Second = second };
        return ref slot;
    }

    private record struct Sums(long Second, double LeastNs, double MostNs, long Count, long Missing);
}
