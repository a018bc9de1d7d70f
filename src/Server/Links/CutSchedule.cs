using RedisLatency.Server.Delays;

namespace RedisLatency.Server.Links;

/// <summary>Cuts the ways of a link when its profile says so, and joins them again.</summary>
internal sealed class CutSchedule(LinkProfile profile, long startedNs, DueQueue due, IReadOnlyList<LinkPath> paths)
{
    private readonly int[] _depths = new int[2];

    public bool IsCut(LinkDirection direction) => _depths[(int)direction] > 0;

    public void Begin()
    {
        foreach (var direction in Enum.GetValues<LinkDirection>())
        {
            foreach (var cut in profile[direction].Cuts)
            {
                due.Add(new Change(this, direction, isCut: true), startedNs + LinkClock.Nanoseconds(cut.At));
                due.Add(new Change(this, direction, isCut: false), startedNs + LinkClock.Nanoseconds(cut.End));
            }
        }
    }

    private void Set(LinkDirection direction, bool isCut)
    {
        var wasCut = _depths.Sum() > 0;
        _depths[(int)direction] += isCut ? 1 : -1;
        var isCutNow = _depths.Sum() > 0;
        if (wasCut == isCutNow)
            return;
        foreach (var path in paths)
        {
            if (isCutNow)
                path.Cut();
            else
                path.Join();
        }
    }

    private sealed class Change(CutSchedule schedule, LinkDirection direction, bool isCut) : IDueAction
    {
        public void Act() => schedule.Set(direction, isCut);
    }
}
