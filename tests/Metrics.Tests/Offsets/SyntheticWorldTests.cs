using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>
/// What clocks do that no bound foresees, at many sizes and moments: whatever is said to be proven holds the truth.
/// </summary>
public class SyntheticWorldTests
{
    private static readonly SyntheticWorldOptions Wan = new();

    private static readonly SyntheticWorldOptions Near = new()
    {
        ForwardNs = 25_000,
        BackNs = 25_000,
        QueueNs = 10_000,
        EchoesPerSecond = 500,
    };

    private static readonly OffsetAssumptions Floors = new() { ForwardFloorNs = 13_500_000, BackFloorNs = 13_500_000 };

    [Theory]
    [InlineData(8)]
    [InlineData(20)]
    [InlineData(24)]
    [InlineData(27)]
    [InlineData(40)]
    [InlineData(400)]
    public void Sleep_OfEitherHost_AtAnyPhaseOfItsWatch_IsCovered(int milliseconds) => Hold(
        from phase in Enumerable.Range(0, 10)
        let sleep = $"suspend={milliseconds}ms@{4 + (phase * 0.1)}s"
        from options in new[] { Wan with { Consumer = sleep }, Wan with { Producer = sleep } }
        select options);

    /// <summary>
    /// The ways are equally long, so that the middle of what probes allow is the truth, but where some of before and
    /// some of after are taken together: it then lies between both.
    /// </summary>
    [Theory]
    [InlineData(20)]
    [InlineData(24)]
    public void Sleep_BelowTheRoundTrip_IsNamedWhereItWas_AndPartsTheProbes(int milliseconds)
    {
        var wrong = new List<string>();
        for (var phase = 0; phase < 10; phase++)
        {
            var sleep = $"suspend={milliseconds}ms@{4 + (phase * 0.1)}s";
            foreach (var options in new[] { Wan with { Consumer = sleep }, Wan with { Producer = sleep } })
            {
                var world = new SyntheticWorld(options);
                var named = world.Windows.Where(window => window.Break == OffsetBreak.Suspended).ToList();
                if (!world.BreaksNs.All(at => named.Exists(window => window.StartNs <= at && at <= window.EndNs)))
                    wrong.Add($"{options}: named elsewhere");
                wrong.AddRange(world.Windows.Except(named)
                    .Where(window => Math.Abs(window.OffsetNs - world.OffsetAt(window.ReferenceNs)) > 1_000_000)
                    .Select(window => $"{options}: mixed from {window.StartNs}: {window.OffsetNs}"));
            }
        }

        string.Join('\n', wrong).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("0.2ms")]
    [InlineData("1ms")]
    [InlineData("12ms")]
    [InlineData("24ms")]
    [InlineData("27.9ms")]
    [InlineData("-5ms")]
    [InlineData("-24ms")]
    public void Step_BelowTheRoundTrip_IsCovered(string step) => Hold(
        from assumptions in new[] { new OffsetAssumptions(), Floors }
        from phase in new[] { 0, 0.37, 0.81 }
        select Wan with { Consumer = $"step={step}@{5 + phase}s", Assumptions = assumptions });

    [Theory]
    [InlineData("12us")]
    [InlineData("22us")]
    [InlineData("-40us")]
    public void Step_BelowTheRoundTripOfOneHost_IsCovered(string step) => Hold(
        from seed in Enumerable.Range(0, 5)
        select Near with { Consumer = $"step={step}@{5 + (seed * 0.17)}s", Seed = seed });

    [Theory]
    [InlineData(5, 60)]
    [InlineData(-5, 16)]
    [InlineData(1, 60)]
    [InlineData(30, 10)]
    public void Crystal_ThatChanges_IsCovered(int ppm, int seconds) => Hold(
        from at in new[] { 0.3, 0.5, 0.8 }
        from options in new[] { Near, Wan with { Assumptions = Floors } }
        select options with { Consumer = $"skew=8ppm,skew={ppm}ppm@{seconds * at}s", Seconds = seconds });

    [Theory]
    [InlineData(300)]
    [InlineData(-300)]
    [InlineData(120)]
    public void Crystal_FasterThanAssumed_IsCovered(int ppm) => Hold(
        from options in new[] { Near, Wan, Wan with { Assumptions = Floors } }
        select options with { Consumer = $"skew={ppm}ppm", Seconds = 20 });

    [Theory]
    [InlineData("slew")]
    [InlineData("skew")]
    public void Slew_ThatTheWatchSeesOrNot_IsCovered(string kind) => Hold(
        from ppm in new[] { 3, 80, 400, -400 }
        from options in new[] { Near, Wan with { Assumptions = Floors } }
        select options with { Consumer = $"{kind}={ppm}ppm@5.3s,{kind}={-ppm}ppm@9.1s", Seconds = 14 });

    [Theory]
    [InlineData(3)]
    [InlineData(25)]
    [InlineData(50)]
    [InlineData(700)]
    public void Freeze_OfEitherClock_IsCovered(int milliseconds) => Hold(
        from phase in new[] { 0, 0.31, 0.77 }
        let freeze = $"freeze={milliseconds}ms@{4 + phase}s"
        from options in new[] { Wan, Near }
        from both in new[] { options with { Consumer = freeze }, options with { Producer = freeze } }
        select both);

    private static void Hold(IEnumerable<SyntheticWorldOptions> worlds)
    {
        var missed = new List<string>();
        foreach (var options in worlds)
        {
            var world = new SyntheticWorld(options);
            missed.AddRange(world.Misses().Take(1));
            if (world.ProvenShare < 0.5)
                missed.Add($"{options}: proven are {world.ProvenShare:P1} of the time");
        }

        string.Join('\n', missed).ShouldBeEmpty();
    }
}
