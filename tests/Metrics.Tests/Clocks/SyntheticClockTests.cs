using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class SyntheticClockTests
{
    private const long Anchor = 5_000_000_000_000;
    private const long Second = 1_000_000_000;

    [Fact]
    public void FromHost_WithAnOffset_IsThatFarAhead() =>
        Parse("offset=12.3ms").FromHost(Anchor + 7).ShouldBe(Anchor + 7 + 12_300_000);

    [Theory]
    [InlineData("12ppm", 12_000)]
    [InlineData("-12ppm", -12_000)]
    [InlineData("300ppb", 300)]
    [InlineData("10000ppm", 10_000_000)]
    public void FromHost_WithASkew_IsExactOverAThousandSeconds(string skew, long perSecondNs)
    {
        var clock = Parse($"skew={skew}");

        for (var second = 0L; second <= 1_000; second++)
        {
            var truth = Anchor + (second * (Second + perSecondNs));
            clock.FromHost(Anchor + (second * Second)).ShouldBeInRange(truth - 1, truth);
        }
    }

    [Fact]
    public void FromHost_BeforeTheAnchor_FollowsTheSkewBackwards() =>
        (Parse("skew=1ppm").FromHost(Anchor - (10 * Second)) - (Anchor - (10 * Second))).ShouldBeInRange(-10_001, -10_000);

    [Fact]
    public void FromHost_WithSteps_JumpsAtTheirInstants()
    {
        // Out of order on purpose.
        var clock = Parse("step=-3ms@30s,step=5ms@20s");

        clock.FromHost(Anchor + (20 * Second) - 1).ShouldBe(Anchor + (20 * Second) - 1);
        clock.FromHost(Anchor + (20 * Second)).ShouldBe(Anchor + (20 * Second) + 5_000_000);
        clock.FromHost(Anchor + (30 * Second) - 1).ShouldBe(Anchor + (30 * Second) - 1 + 5_000_000);
        clock.FromHost(Anchor + (30 * Second)).ShouldBe(Anchor + (30 * Second) + 2_000_000);
    }

    [Fact]
    public void FromHost_WithASkewFromAMomentOn_RunsFasterFromThere()
    {
        var clock = Parse("skew=-2ppm,skew=5ppm@10s,slew=100ppm@20s,slew=-100ppm@30s");

        Gained(10).ShouldBeInRange(-20_001, -20_000);
        Gained(20).ShouldBeInRange(9_999, 10_000);
        Gained(30).ShouldBeInRange(1_039_999, 1_040_000);
        Gained(40).ShouldBeInRange(1_069_999, 1_070_000);
        clock.SlewedNs(Anchor + (25 * Second)).ShouldBe(500_000);
        clock.SlewedNs(Anchor + (40 * Second)).ShouldBe(1_000_000);
        clock.BreaksHostNs.ShouldBeEmpty();

        long Gained(int second) => clock.FromHost(Anchor + (second * Second)) - Anchor - (second * Second);
    }

    [Fact]
    public void FromHost_WhileSuspended_StandsStillAndGoesOnFromThere()
    {
        var clock = Parse("offset=1s,skew=-10ppm,suspend=20ms@20s");
        var asleep = clock.FromHost(Anchor + (20 * Second));

        clock.FromHost(Anchor + (20 * Second) + 19_999_999).ShouldBe(asleep);
        clock.FromHost(Anchor + (20 * Second) + 20_000_000).ShouldBe(asleep);
        clock.FromHost(Anchor + (20 * Second) + 21_000_000).ShouldBeInRange(asleep + 999_989, asleep + 999_991);
        (clock.ToHost(asleep + 1) - Anchor - (20 * Second)).ShouldBeInRange(20_000_001, 20_000_002);
        clock.SuspendedNs(Anchor + (20 * Second) + 5_000_000).ShouldBe(5_000_000);
        clock.SuspendedNs(Anchor + (30 * Second)).ShouldBe(20_000_000);
        clock.BreaksHostNs.ShouldBe([Anchor + (20 * Second), Anchor + (20 * Second) + 20_000_000]);
    }

    [Fact]
    public void FromHost_WhileFrozen_StandsStillAndCatchesUp()
    {
        var clock = Parse("freeze=50ms@20s");

        clock.FromHost(Anchor + (20 * Second) + 49_999_999).ShouldBe(Anchor + (20 * Second));
        clock.FromHost(Anchor + (20 * Second) + 50_000_000).ShouldBe(Anchor + (20 * Second) + 50_000_000);
        clock.ToHost(Anchor + (20 * Second) + 1).ShouldBe(Anchor + (20 * Second) + 50_000_000);
        clock.SuspendedNs(Anchor + (30 * Second)).ShouldBe(0);
    }

    [Fact]
    public void FromHost_WithAWalk_StaysWithinItsBoundAndIsNoStraightLine()
    {
        var clock = Parse("walk=0.05ppm,seed=7");
        var rates = new List<double>();

        for (var second = 0L; second < 5_000; second++)
        {
            var start = Anchor + (second * Second);
            rates.Add(clock.FromHost(start + Second) - clock.FromHost(start) - Second);
        }

        rates.ShouldAllBe(gained => Math.Abs(gained) <= 51);
        (rates.Max() - rates.Min()).ShouldBeGreaterThan(50);
    }

    [Fact]
    public void FromHost_WithTheSameSeed_WalksTheSameWay()
    {
        var at = Anchor + (3_456 * Second) + 123;

        Parse("walk=1ppm,seed=7").FromHost(at).ShouldBe(Parse("walk=1ppm,seed=7").FromHost(at));
        Parse("walk=1ppm,seed=7").FromHost(at).ShouldNotBe(Parse("walk=1ppm,seed=8").FromHost(at));
    }

    [Theory]
    [InlineData("offset=-12ms")]
    [InlineData("skew=12ppm")]
    [InlineData("skew=-10000ppm")]
    [InlineData("skew=10000ppm,walk=100ppm,seed=3")]
    [InlineData("offset=100s,skew=-12.5ppm,walk=0.05ppm,seed=7,step=5ms@20s,step=7us@21s")]
    [InlineData("skew=-20ppm,suspend=3ms@1ms,skew=30ppm@5ms,freeze=4ms@10ms,slew=-400ppm@15ms,step=5us@16ms")]
    public void FromHost_WithoutAStepBack_NeverStepsBackAndIsInverted(string text)
    {
        var clock = Parse(text);
        var random = new Random(1);
        var host = Anchor - Second;
        var previous = clock.FromHost(host);
        for (var i = 0; i < 100_000; i++)
        {
            host += random.Next(4) == 0 ? random.Next(1_000_000) : random.Next(3);
            var reading = clock.FromHost(host);
            reading.ShouldBeGreaterThanOrEqualTo(previous);
            previous = reading;

            var woken = clock.ToHost(reading);
            clock.FromHost(woken).ShouldBe(reading);
            clock.FromHost(woken - 1).ShouldBeLessThan(reading);
        }
    }

    [Fact]
    public void ToHost_OfATimeThatAStepSkips_IsTheStep()
    {
        var clock = Parse("step=5ms@20s");

        clock.ToHost(Anchor + (20 * Second) + 1_000_000).ShouldBe(Anchor + (20 * Second));
    }

    [Theory]
    [InlineData(-6_000_000, -6_000_000)]
    [InlineData(-4_000_000, 1_000_000)]
    [InlineData(-1, 4_999_999)]
    [InlineData(0, 5_000_000)]
    public void ToHost_OfATimeThatAStepBackRepeats_IsTheSecondTime(long aroundStepNs, long wokenAfterNs)
    {
        // Whoever wakes earlier would find the clock before the time that was waited for.
        var clock = Parse("step=-5ms@20s");

        clock.ToHost(Anchor + (20 * Second) + aroundStepNs).ShouldBe(Anchor + (20 * Second) + wokenAfterNs);
    }

    [Fact]
    public void ToHost_WithManySteps_IsTheFirstMomentAfterWhichNothingIsEarlier()
    {
        var random = new Random(2);
        for (var world = 0; world < 200; world++)
        {
            string[] steps =
            [
                .. Enumerable.Range(0, 3).Select(_ => $"step={random.Next(-9, 9)}us@{random.Next(1, 40)}us"),
                $"suspend={random.Next(1, 9)}us@{random.Next(1, 20)}us",
                $"freeze={random.Next(1, 9)}us@{random.Next(30, 40)}us",
                $"slew={random.Next(-9_000, 9_000)}ppm@{random.Next(1, 40)}us",
            ];
            var clock = SyntheticClock.Parse($"{string.Join(',', steps)},anchor=0");
            var readings = Enumerable.Range(0, 100_000).Select(host => clock.FromHost(host)).ToArray();
            for (var trial = 0; trial < 20; trial++)
            {
                var ns = random.Next(1, 60_000);
                clock.ToHost(ns).ShouldBe(Array.FindLastIndex(readings, reading => reading < ns) + 1);
            }
        }
    }

    [Theory]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    [InlineData(long.MinValue + 1)]
    public void Conversions_OfNeverAndAlways_DoNotOverflow(long never)
    {
        var clock = Parse("offset=-5s,skew=-10000ppm,step=1s@1s");

        clock.FromHost(never).ShouldBe(never);
        clock.ToHost(never).ShouldBe(never);
    }

    [Theory]
    [InlineData("")]
    [InlineData("offset")]
    [InlineData("offset=12")]
    [InlineData("offset=ms")]
    [InlineData("offset=NaNms")]
    [InlineData("offset=1e3ms")]
    [InlineData("offset=1,5ms")]
    [InlineData("offset=1ms,offset=2ms")]
    [InlineData("offset=999999999999s")]
    [InlineData("skew=12")]
    [InlineData("skew=20000ppm")]
    [InlineData("walk=-1ppm")]
    [InlineData("seed=-1")]
    [InlineData("step=5ms")]
    [InlineData("step=5ms@-1s")]
    [InlineData("step=5ms@20")]
    [InlineData("anchor=1.5")]
    [InlineData("anchor=9223372036854775807")]
    [InlineData("drift=5ppm")]
    [InlineData("skew=1ppm,skew=1ppm")]
    [InlineData("skew=5ppm@-1s")]
    [InlineData("slew=5ppm")]
    [InlineData("slew=5ms@1s")]
    [InlineData("slew=6000ppm@1s,skew=6000ppm@2s")]
    [InlineData("suspend=-1ms@1s")]
    [InlineData("suspend=20ms")]
    [InlineData("freeze=0ms@1s")]
    [InlineData("freeze=20ms@1s,suspend=20ms@1.01s")]
    public void Setting_OfATextThatIsWrong_NamesTheVariableAndTheText(string text)
    {
        Should.Throw<FormatException>(() => SyntheticClock.Parse(text));

        if (text.Length == 0)
            return; // An empty variable is none.
        var setting = SyntheticClockSetting.Read(text, Anchor);
        setting.Clock.ShouldBeNull();
        setting.Problem.ShouldNotBeNull().ShouldContain($"REDISLATENCY_CLOCK={text}");
    }

    [Fact]
    public void Setting_WhoseClockWouldBeNegative_IsRefused() =>
        SyntheticClockSetting.Read("offset=-6000s", Anchor).Problem.ShouldNotBeNull().ShouldContain("above zero");

    [Fact]
    public void Setting_WithoutText_IsTheHostsClock() =>
        SyntheticClockSetting.Read(null, Anchor).ShouldBe(new SyntheticClockSetting(null, null));

    [Fact]
    public void MonotonicClock_OfThisProcess_IsTheHosts()
    {
        MonotonicClock.IsSynthetic.ShouldBeFalse();
        SyntheticClock.OfProcess.ShouldBeNull();
        SyntheticClock.Problem.ShouldBeNull();
    }

    private static SyntheticClock Parse(string text) => SyntheticClock.Parse(text, Anchor);
}
