using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

internal static class Snapshots
{
    public static readonly LiveSnapshot OpenLoop = new()
    {
        Phase = RunPhase.Measure,
        Elapsed = TimeSpan.FromSeconds(41),
        Planned = TimeSpan.FromSeconds(120),
        Progress = 41 / 120d,
        TargetRate = 10_000,
        AchievedRate = 9_998.4,
        InFlight = 12,
        LatenessP99 = 18_200,
        IntendedInterval = new LatencyFigures(9_998, 45_310, 52_100, 88_000, 120_000, 1_203_000),
        IntendedRun = new LatencyFigures(409_988, 45_100, 51_000, 87_000, 119_000, 2_100_000),
        SentInterval = new LatencyFigures(9_998, 44_000, 50_000, 80_000, 110_000, 999_000),
        SentRun = new LatencyFigures(409_988, 43_900, 49_900, 79_000, 109_000, 1_900_000),
        Sent = 410_000,
        Returned = 409_985,
        Lost = 3,
        Late = 1,
        Reordered = 2,
        HiccupMax = 912_000,
        CpuShare = 0.371,
    };

    public static readonly LiveSnapshot NothingYet = new() { Phase = RunPhase.WarmUp, AchievedRate = double.NaN };

    public static readonly LiveSnapshot ClosedLoop = OpenLoop with
    {
        TargetRate = null,
        IntendedInterval = null,
        IntendedRun = null,
        Planned = null,
        Progress = 0.5,
    };
}
