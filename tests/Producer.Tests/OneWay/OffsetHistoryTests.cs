using System.Text.Json.Nodes;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Producer.OneWay;
using RedisLatency.Producer.Tests.Measuring;
using RedisLatency.Reports.Records;

namespace RedisLatency.Producer.Tests.OneWay;

public class OffsetHistoryTests
{
    private const long Second = 1_000_000_000;
    private const long Truth = 30_000;

    /// <summary>Queues hide it for twenty seconds: windows that rested on it have been given out by then.</summary>
    [Fact]
    public void SeveralClaimsOfOneClock_OfWhichOneIsRefutedLate_LoseThatOneForAllItsWindows()
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new OffsetClaim("boot", OffsetClaimKind.SameClock, 0, -30, 30));
        tracker.Add(new OffsetClaim("namespace", OffsetClaimKind.SameClock, 0, -500_000, 500_000));
        tracker.Add(new OffsetClaim("utc", OffsetClaimKind.Utc, 0, -1_000_000, 1_000_000));
        var history = new OffsetHistory();
        var windows = new List<OffsetWindow>();

        Live(tracker, history, windows, _ => Truth);

        windows[0].IsProven.ShouldBeTrue("nothing refutes it yet");
        windows[0].ErrorNs.ShouldBeLessThan(100);
        windows.ShouldAllBe(window => Holds(window.ByProbes ?? window, _ => Truth));
        var refuted = windows.FindIndex(window => window.IsContradicted);
        refuted.ShouldBeInRange(10, 30, "before that it is not found, and windows were given out");
        foreach (var window in windows.Skip(refuted))
        {
            window.IsProven.ShouldBeFalse();
            window.Claims.Where(claim => !claim.Agrees).ShouldHaveSingleItem().Name.ShouldBe("boot");
        }

        (history.ContradictedWindows("namespace"), history.ContradictedWindows("utc")).ShouldBe((0, 0));
        history.Mode.ShouldBe("probes");
        history.ContradictedWindows("boot").ShouldBe(windows.Count - refuted);
        var offset = history.Describe(0)!;
        offset.ProvenWindows.ShouldBe(0);
        offset.ErrorWorstNs.ShouldBeGreaterThan(Truth, "of the windows before, too");
        history.UnrefutedNs.ShouldBeGreaterThanOrEqualTo(Truth);
    }

    /// <summary>As far off as queues of twenty seconds hide, which are over then.</summary>
    [Fact]
    public void ClaimOfOneClock_RefutedLateByADriftOf3Ppm_FallsForAllItsWindows()
    {
        Func<long, long> truthAt = atNs => (long)(3e-6 * atNs);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new OffsetClaim("boot", OffsetClaimKind.SameClock, 0, -30, 30));
        var history = new OffsetHistory();
        var windows = new List<OffsetWindow>();

        Live(tracker, history, windows, truthAt);

        windows[0].IsProven.ShouldBeTrue("nothing refutes it yet");
        windows[0].ErrorNs.ShouldBeLessThan(100);
        windows.ShouldAllBe(window => Holds(window.ByProbes ?? window, truthAt));
        var refuted = windows.FindIndex(window => window.IsContradicted);
        refuted.ShouldBeInRange(5, 30, "before that it is not found, and windows were given out");
        windows.Skip(refuted).ShouldAllBe(window => !window.IsProven);
        history.Mode.ShouldBe("probes");
        history.ContradictedWindows("boot").ShouldBe(windows.Count - refuted);
        var offset = history.Describe(0)!;
        offset.ProvenWindows.ShouldBe(0);
        var hidden = truthAt(windows[refuted].StartNs);
        offset.ErrorWorstNs.ShouldBeGreaterThan(hidden, "of the windows before, too");
        history.UnrefutedNs.ShouldBeGreaterThanOrEqualTo(hidden);
    }

    /// <summary>The other clock was heard of for ten seconds of twenty: of the rest nothing is known.</summary>
    [Fact]
    public void Windows_OfWhichNothingIsKnown_AreCounted_InTheRecordAndInTheText()
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());
        var history = new OffsetHistory();
        var windows = new List<OffsetWindow>();
        for (var sent = 0L; sent < 10 * Second; sent += Second / 200)
            tracker.Add(new ClockProbe(sent, sent + 5_000 + Truth, sent + 8_000 + Truth, sent + 13_000));
        tracker.Complete(20 * Second);
        Take(tracker, history, windows);

        var offset = history.Describe(0)!;
        var run = SampleRun.On("a:1");
        var record = run with
        {
            Summaries = [run.Summaries[0] with { OneWay = [SamplePair.With(1_000) with { Offset = offset }] }],
        };
        var saved = JsonNode.Parse(RunRecordWriter.Serialize(record, []))!["summaries"]![0]!["oneWay"]![0]!["offset"]!;

        var unknown = windows.Count(window => !window.IsBounded);
        unknown.ShouldBeInRange(5, windows.Count - 5);
        saved["unboundedWindows"]!.GetValue<int>().ShouldBe(unknown);
        saved["provenWindows"]!.GetValue<int>().ShouldBe(windows.Count - unknown);
        OneWayTextTests.Flow(record).ShouldContain($"; steps 0; θ not known in {unknown} of {windows.Count} windows ");
    }

    private static void Live(
        OffsetTracker tracker, OffsetHistory history, List<OffsetWindow> windows, Func<long, long> truthAt)
    {
        for (var sent = 0L; sent < 40 * Second; sent += Second / 200)
        {
            var way = sent < 20 * Second ? 100_000 : 5_000;
            var (received, echoed) = (sent + way, sent + way + 3_000);
            tracker.Add(new ClockProbe(
                sent, received + truthAt(received), echoed + truthAt(echoed), echoed + way));
            Take(tracker, history, windows);
        }

        tracker.Complete(40 * Second);
        Take(tracker, history, windows);
    }

    private static void Take(OffsetTracker tracker, OffsetHistory history, List<OffsetWindow> windows)
    {
        while (tracker.TryTake(out var window))
        {
            history.Add(window);
            windows.Add(window);
        }
    }

    private static bool Holds(OffsetWindow window, Func<long, long> truthAt) =>
        Math.Abs(truthAt(window.StartNs) - window.OffsetAt(window.StartNs)) <= window.ErrorAt(window.StartNs)
        && Math.Abs(truthAt(window.EndNs) - window.OffsetAt(window.EndNs)) <= window.ErrorAt(window.EndNs);
}
