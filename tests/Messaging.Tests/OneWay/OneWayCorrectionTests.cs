using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class OneWayCorrectionTests : IDisposable
{
    private const long Second = OneWayWorld.Second;

    private readonly string _folder = Directory.CreateTempSubdirectory("one-way-").FullName;

    private static OneWayOptions Options { get; } = new() { MostPending = 1_000 };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(0)]
    [InlineData(12)]
    [InlineData(-480)]
    public void Correct_WithTheTrueOffset_GivesThePlantedDelays(double skewPpm)
    {
        var world = new OneWayWorld { SkewPpm = skewPpm, OffsetNs = 100 * Second };
        using var correction = new OneWayCorrection(Options);
        for (var i = 0; i < 500; i++)
            correction.Add(world.Message((i * 4_000_000) + 1, forward: 14_000_000, 50_000, back: 20_000_000, 7_000));
        CorrectAll(correction, world, seconds: 4);

        var forward = correction.Total.Forward;
        var back = correction.Total.Back.ShouldNotBeNull();
        correction.Total.Count.ShouldBe(500);
        forward.MeanNs.ShouldBeInRange(14_000_000 - 4, 14_000_000 + 4);
        forward.MinNs.ShouldBeInRange(14_000_000 - 4, 14_000_000 + 4);
        forward.MeanFromIntendedNs.ShouldBeInRange(14_007_000 - 4, 14_007_000 + 4);
        back.MeanNs.ShouldBeInRange(20_000_000 - 30, 20_000_000 + 30);
        back.MeanFromIntendedNs.ShouldBeInRange(20_050_000 - 30, 20_050_000 + 30);
        (forward.MeanNs + back.MeanNs).ShouldBe(correction.Total.MeanNetworkNs, 30);
        forward.FromSent.ValueAtPercentile(50).ShouldBeInRange(14_000_000 - 14_000, 14_000_000 + 14_000);
        (forward.Negatives, forward.BelowFloorBeyondError, correction.NotCorrected).ShouldBe((0, 0, 0));
        forward.WorstErrorNs.ShouldBe(1_000);
    }

    [Fact]
    public void Correct_OfAnyMessages_KeepsTheMeanIdentity() =>
        Prop.ForAll(
            ArbMap.Default.ArbFor<int[]>(),
            ArbMap.Default.ArbFor<long>(),
            Gen.Choose(-500, 500).ToArbitrary(),
            (delays, wrongBy, skew) =>
            {
                var world = new OneWayWorld { SkewPpm = skew };
                using var correction = new OneWayCorrection(Options);
                var residence = 0L;
                for (var i = 0; i < delays.Length; i++)
                {
                    var delay = Math.Abs((long)delays[i]) % 400_000_000;
                    residence = Math.Max(residence, delay / 3);
                    correction.Add(world.Message((i % 10) * 100_000_000, delay, delay / 3, delay / 2));
                }

                for (var i = 0; i < 5; i++)
                    correction.Add(world.Window(i * Second, (i + 1) * Second, wrongBy % Second));
                while (correction.TryCorrect(out _))
                {
                }

                correction.Complete();
                correction.Total.Count.ShouldBe(delays.Length);
                var total = correction.Total;
                var difference = total.Forward.MeanNs + total.Back!.MeanNs - total.MeanNetworkNs;
                Math.Abs(difference).ShouldBeLessThanOrEqualTo((Math.Abs(skew) * 1e-6 * residence) + 3);
            }).Check(Config.QuickThrowOnFailure.WithMaxTest(100).WithQuietOnSuccess(true));

    [Fact]
    public void Correct_WithAnOffsetThatIsTooLarge_CountsNegativesAndKeepsThemInEveryFigure()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options);
        for (var i = 0; i < 100; i++)
            correction.Add(world.Message(i * 1_000_000, forward: i < 25 ? 20_000 : 100_000, 0, back: 50_000));
        correction.Add(world.Window(0, Second, wrongBy: 40_000, error: 10_000));
        correction.TryCorrect(out _).ShouldBeTrue();

        var forward = correction.Total.Forward;
        (forward.Count, forward.Negatives, forward.NegativesBeyondError).ShouldBe((100, 25, 25));
        forward.FromSent.Negatives.TotalCount.ShouldBe(25);
        forward.MinNs.ShouldBe(-20_000);
        forward.MeanNs.ShouldBe((0.25 * -20_000) + (0.75 * 60_000));
        forward.FromSent.ValueAtPercentile(20).ShouldBeInRange(-20_000 - 20, -20_000 + 20);
        forward.FromSent.ValueAtPercentile(50).ShouldBeInRange(60_000 - 60, 60_000 + 60);
        correction.Total.Back!.Negatives.ShouldBe(0);
        correction.Total.Back.MeanNs.ShouldBe(90_000);
        (forward.MeanNs + correction.Total.Back.MeanNs).ShouldBe(correction.Total.MeanNetworkNs);
    }

    [Fact]
    public void Correct_WithFloors_TellsWhatIsBelowThemByHowMuch()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(
            Options with { ForwardFloorNs = 50_000, BackFloorNs = 50_000 });
        correction.Add(world.Message(1_000, forward: 49_500, 0, back: 50_000));
        correction.Add(world.Message(2_000, forward: 40_000, 0, back: 60_000));
        correction.Add(world.Window(0, Second, error: 1_000));
        correction.TryCorrect(out _).ShouldBeTrue();

        var forward = correction.Total.Forward;
        (forward.BelowFloor.TotalCount, forward.BelowFloorBeyondError).ShouldBe((2, 1));
        forward.BelowFloor.Max.ShouldBeInRange(10_000 - 10, 10_000 + 10);
        forward.Count.ShouldBe(2);
        correction.Total.Back!.BelowFloor.TotalCount.ShouldBe(0);
    }

    [Fact]
    public void Interval_HasWhatReturnedInItsWindow_AndWhatCameTooLateForItsOwn()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options);
        correction.Add(world.Message(Second / 2, 1_000, 0, 1_000));
        correction.Add(world.Message(Second - 500, 1_000, 0, 1_000));
        correction.Add(world.Message(Second + 500, 1_000, 0, 1_000));
        correction.Add(world.Window(0, Second));
        correction.Add(world.Window(Second, 2 * Second));
        correction.Add(world.Window(2 * Second, 3 * Second));

        correction.TryCorrect(out var first).ShouldBeTrue();
        (first.StartNs, first.LengthNs, first.Measured.Count).ShouldBe((0, Second, 1));
        correction.TryCorrect(out var second).ShouldBeTrue();
        (second.StartNs, second.Measured.Count).ShouldBe((Second, 2));
        correction.Add(world.Message(Second / 3, 1_000, 0, 1_000));
        correction.TryCorrect(out var third).ShouldBeTrue();
        (third.StartNs, third.Measured.Count).ShouldBe((2 * Second, 1));
        correction.TryCorrect(out _).ShouldBeFalse();
        correction.Total.Forward.MaxNs.ShouldBe(1_000);
        correction.Total.Count.ShouldBe(4);
    }

    [Fact]
    public void Correct_OfAMessageUnderWayDuringAStep_TakesEachWaysOwnOffset()
    {
        var world = new OneWayWorld { Step = (Second, 5_000_000) };
        using var correction = new OneWayCorrection(Options);
        correction.Add(world.Message(Second - 10_000, forward: 9_000, residence: 2_000, back: 7_000) with
        {
            // Until the step was seen the consumer's clock had not jumped, after it had.
            Received = Second - 1_000 + world.OffsetNs,
            Echoed = Second + 1_000 + world.OffsetNs + 5_000_000,
        });
        correction.Add(world.Window(0, Second));
        correction.Add(world.Window(Second, 2 * Second));

        // The jump makes its residence longer than it was away: no clock that did not jump gives that.
        correction.Impossible.ShouldBe(1);

        correction.Add(world.Message(Second + 10_000, forward: 9_000, residence: 2_000, back: 7_000));
        correction.Add(world.Message(Second - 20_000, forward: 9_000, residence: 2_000, back: 100_000));
        while (correction.TryCorrect(out _))
        {
        }

        (correction.Total.Forward.MinNs, correction.Total.Forward.MaxNs).ShouldBe((9_000, 9_000));
        (correction.Total.Back!.MinNs, correction.Total.Back.MaxNs).ShouldBe((7_000, 100_000));
    }

    [Fact]
    public void Variation_WithAnOffsetThatIsWrongAndAStepOfTheClock_IsThatOfTheDelays()
    {
        var world = new OneWayWorld { SkewPpm = 40, Step = (3 * Second, 77_000_000) };
        using var correction = new OneWayCorrection(Options with { MostPending = 100_000 });
        var random = new Random(1);
        for (var i = 0; i < 5_000; i++)
        {
            var delay = i % 10 == 0 ? 1_000_000 : 1_000_000 + random.Next(100_000);
            if (i is >= 2_990 and < 3_000)
                continue; // An offset that is a second off cannot tell on which side of the step they were received.
            correction.Add(world.Message(i * 1_000_000L, delay, 0, 3_000_000));
        }

        for (var i = 0; i < 6; i++)
            correction.Add(world.Window(i * Second, (i + 1) * Second, wrongBy: 900_000_000, error: Second));
        while (correction.TryCorrect(out _))
        {
        }

        var forward = correction.Total.Forward;
        forward.Variation.TotalCount.ShouldBe(4_990);
        forward.Variation.BelowRange.ShouldBe(0);
        forward.Variation.ValueAtPercentile(10).ShouldBeLessThan(10);
        forward.Variation.Max.ShouldBeInRange(98_000, 100_100);
        correction.Total.Back!.Variation.Max.ShouldBeLessThan(200);
        forward.Negatives.ShouldBe(4_990);
    }

    [Fact]
    public void Correct_WhereNoWindowCoversTheTime_CountsTheMessage()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options);
        correction.Add(world.Message(Second / 2, 1_000, 0, 1_000));
        correction.Add(world.Message(3 * Second / 2, 1_000, 0, 1_000));
        correction.Add(world.Message(5 * Second / 2, 1_000, 0, 1_000));
        correction.Add(world.Message(7 * Second / 2, 1_000, 0, 1_000));
        correction.Add(world.Window(0, Second));
        correction.Add(world.Window(2 * Second, 3 * Second));
        while (correction.TryCorrect(out _))
        {
        }

        (correction.Total.Count, correction.NotCorrected, correction.Pending).ShouldBe((2, 1, 1));
        correction.Complete();
        (correction.Total.Count, correction.NotCorrected, correction.Pending).ShouldBe((2, 2, 0));
    }

    [Fact]
    public void Add_OfAWindowThatIsKnown_ChangesNothing()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options);
        for (var i = 0; i < 3; i++)
            correction.Add(world.Window(0, Second));
        correction.TryCorrect(out _).ShouldBeTrue();
        correction.TryCorrect(out _).ShouldBeFalse();
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(5, 0)]
    [InlineData(-7, 9)]
    [InlineData(10_000, 9_999)]
    [InlineData(1, long.MaxValue)]
    [InlineData(long.MaxValue, long.MinValue)]
    public void Add_OfStampsThatNoClockGave_CountsThemAsImpossible(long received, long echoed)
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options);
        correction.Add(world.Message(1_000, 1_000, 0, 1_000) with { Received = received, Echoed = echoed });
        CorrectAll(correction, world, 2);

        (correction.Impossible, correction.Total.Count, correction.NotCorrected).ShouldBe((1, 0, 0));
    }

    [Fact]
    public void Correct_OfAbsurdButPossibleStamps_CountsThemWithoutAFault()
    {
        var world = new OneWayWorld { OffsetNs = 0 };
        using var correction = new OneWayCorrection(Options);
        correction.Add(world.Message(1_000, 1_000, 0, 1_000) with { Received = long.MaxValue, Echoed = long.MaxValue });
        correction.Add(world.Message(1_000, 1_000, 0, 1_000) with { Received = 1, Echoed = 1 });
        CorrectAll(correction, world, 2);

        correction.Total.Count.ShouldBe(2);
        correction.Total.Forward.FromSent.Values.AboveRange.ShouldBe(1);
        correction.Total.Back!.FromSent.Negatives.AboveRange.ShouldBe(1);
    }

    [Fact]
    public void Correct_WithLittleMemory_GivesTheSameByWayOfTheFile()
    {
        var world = new OneWayWorld { SkewPpm = 12 };
        using var roomy = new OneWayCorrection(Options with { MostPending = 1 << 20 });
        var path = Path.Combine(_folder, "one-way.pending");
        using var tight = new OneWayCorrection(Options with { MostPending = 64, SpillPath = path });
        var random = new Random(3);
        for (var i = 0; i < 20_000; i++)
        {
            var stamps = world.Message(i * 200_000L, 50_000 + random.Next(90_000), 9_000, 40_000 + random.Next(50_000));
            roomy.Add(stamps);
            tight.Add(stamps);
        }

        File.Exists(path).ShouldBeTrue();
        CorrectAll(roomy, world, 5);
        CorrectAll(tight, world, 5);

        File.Exists(path).ShouldBeFalse();
        tight.Spilled.ShouldBeGreaterThan(19_000);
        tight.Total.Count.ShouldBe(20_000);
        tight.Total.Forward.FromSent.ShouldBe(roomy.Total.Forward.FromSent);
        tight.Total.Back!.FromSent.ShouldBe(roomy.Total.Back!.FromSent);
        tight.Total.Forward.Variation.ShouldBe(roomy.Total.Forward.Variation);
        tight.Failure.ShouldBeNull();
    }

    [Fact]
    public void Correct_OfAConsumersOwnMessages_KnowsTheForwardDirection()
    {
        var world = new OneWayWorld { SkewPpm = -30 };
        using var correction = new OneWayCorrection(Options with { HasBack = false });
        for (var i = 0; i < 100; i++)
            correction.Add(world.Message(i * 20_000_000L, 30_000, 0, 0) with { Echoed = 0, Returned = 0 });
        CorrectAll(correction, world, 3);

        correction.Total.Back.ShouldBeNull();
        correction.Total.Count.ShouldBe(100);
        correction.Total.Forward.MeanNs.ShouldBeInRange(30_000 - 2, 30_000 + 2);
    }

    [Fact]
    public void Correct_InSteadyState_AllocatesNothingPerMessage()
    {
        var world = new OneWayWorld();
        using var correction = new OneWayCorrection(Options with { MostPending = 10_000 });
        var windows = Enumerable.Range(0, 20).Select(i => world.Window(i * Second, (i + 1) * Second)).ToArray();
        foreach (var window in windows.AsSpan(0, 12))
            CorrectSecond(correction, world, window);
        var before = GC.GetAllocatedBytesForCurrentThread();
        foreach (var window in windows.AsSpan(12))
            CorrectSecond(correction, world, window);

        // Lists and queues of windows grow now and then; 8,000 messages were corrected.
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(1_000);
        correction.Total.Count.ShouldBe(20_000);
    }

    private static void CorrectSecond(
        OneWayCorrection correction, OneWayWorld world, Metrics.Offsets.OffsetWindow window)
    {
        for (var i = 0; i < 1_000; i++)
            correction.Add(world.Message(window.StartNs + (i * 900_000L), 30_000, 5_000, 20_000));
        correction.Add(window);
        correction.TryCorrect(out _);
    }

    private static void CorrectAll(OneWayCorrection correction, OneWayWorld world, int seconds)
    {
        for (var i = 0; i < seconds; i++)
            correction.Add(world.Window(i * Second, (i + 1) * Second));
        while (correction.TryCorrect(out _))
        {
        }

        correction.Complete();
    }
}
