using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Records;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Phases;

/// <summary>Makes a record of each period of a phase that has no end.</summary>
/// <param name="session">The phase.</param>
/// <param name="describe">Makes the record of what was measured.</param>
internal sealed class PhasePeriods(PhaseSession session, Func<PhaseSession, RunRecord> describe) : IMeasuredPeriod
{
    private EngineTotals? _before;
    private long _fromNs;

    public RunRecord? End(long untilNs)
    {
        // In the warm-up nothing counts.
        if (session.SettledSoFar() is not { MeasuredFrom: > 0 } now || now.MeasuredFrom >= untilNs)
            return null;
        return End(now, untilNs);
    }

    /// <summary>The record of what was measured last; null where it was nothing.</summary>
    public RunRecord? Last()
    {
        if (session.Totals is null || session.SettledSoFar() is not { } all)
            return null;
        var untilNs = all.MeasuredUntil > FromOf(all) ? all.MeasuredUntil : MonotonicClock.NowNs();
        return End(all, Math.Max(untilNs, FromOf(all) + 1));
    }

    private RunRecord End(EngineTotals now, long untilNs)
    {
        var record = describe(session.OfPeriod(now, _before, FromOf(now), untilNs));
        session.Metrics.BeginNextPeriod();
        (_before, _fromNs) = (now, untilNs);
        return record;
    }

    private long FromOf(EngineTotals totals) => Math.Max(totals.MeasuredFrom, _fromNs);
}
