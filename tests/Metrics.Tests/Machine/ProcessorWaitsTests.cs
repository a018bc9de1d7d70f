using System.Diagnostics;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public sealed class ProcessorWaitsTests
{
    private const long Slot = 5_000_000;
    private const long WakeUp = 5_000;

    [Fact]
    public void ShareAt_OnlyWakeUps_IsNothing()
    {
        using var waits = OfSlots(1_000, _ => 30 * WakeUp);

        waits.ShareAt(70_000, 5_000).ShouldBe(0);
    }

    [Fact]
    public void ShareAt_AWaitInOneOfTenSlots_IsATenthOfTheTime()
    {
        using var waits = OfSlots(1_000, slot => slot % 10 == 0 ? 4_000_000 : 30 * WakeUp);

        waits.ShareAt(70_000, 5_000).ShouldBe(0.1, 0.001);
    }

    [Fact]
    public void ShareAt_ALongerWaitThanASlot_IsAllOfIt()
    {
        // The kernel counts it when it ends: half a second, of five.
        using var waits = OfSlots(1_000, slot => slot == 500 ? 500_000_000 : 0);

        waits.ShareAt(70_000, 5_000).ShouldBe(0.1, 0.005);
    }

    [Fact]
    public void ShareAt_AWaitThatIsLittleAgainstTheValue_IsNothing()
    {
        using var waits = OfSlots(1_000, _ => 4_000_000);

        waits.ShareAt(20_000_000, 5_000).ShouldBe(0);
        waits.ShareAt(2_000_000, 5_000).ShouldBe(1);
    }

    [Fact]
    public void ShareAt_ManyShortWaitsOrOneLong_CountsWhatTheyAddToEachSample()
    {
        // Five samples a slot. Of 30 wake-ups each waits 40 µs more than on a free processor: 160 µs for each sample.
        using var waits = OfSlots(1_000, _ => 30 * (40_000 + 10_000));

        waits.ShareAt(230_000, 5_000).ShouldBe(1);
    }

    [Theory]
    [InlineData(20, 0.5)]
    [InlineData(50, 0)]
    public void ShareAt_WakeUpsFarMoreOftenThanSamples_CountsThoseOfASample(int wakeUps, double share)
    {
        // Five samples a slot. In every other one all wake-ups together waited 400 µs beyond what they cost.
        using var waits = OfSlots(
            1_000, slot => slot % 2 == 0 ? 400_000 + (wakeUps * 10_000) : wakeUps * WakeUp, wakeUps);

        waits.ShareAt(230_000, 5_000).ShouldBe(share);
    }

    [Fact]
    public void ShareAt_ASlowWakeUpOfEveryThread_IsWhatItCostsHere()
    {
        using var waits = OfSlots(1_000, _ => 30 * 25_000);

        // The first second is held against the least.
        waits.ShareAt(150_000, 5_000).ShouldBe(0.2, 0.01);
    }

    [Fact]
    public async Task Of_ABusyProcessorOfItsOwn_CountsWhatTwoThreadsWaitForEachOther()
    {
        if (!ProcessorWaits.AreCounted)
            Assert.Skip("this kernel does not count what threads wait for.");
        using var stop = new CancellationTokenSource();
        var threads = Enumerable.Range(0, 2 * Environment.ProcessorCount).Select(_ => Task.Factory.StartNew(
            () => MeasuringThreads.Run(() => Spin(stop.Token)), TaskCreationOptions.LongRunning)).ToList();
        using var waits = ProcessorWaits.OfThisProcess();
        var limit = Stopwatch.StartNew();

        // Twice as many threads as processors: half of them wait.
        while (waits.ShareAt(1_000, 1_000_000) < 0.2 && limit.Elapsed < TimeSpan.FromMinutes(1))
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
            waits.Sample();
        }

        await stop.CancelAsync();
        await Task.WhenAll(threads);
        waits.Share.ShouldBeGreaterThan(0);
        waits.ShareAt(1_000, 1_000_000).ShouldBeGreaterThanOrEqualTo(0.2);
    }

    [Fact]
    public void Report_OfAStretch_IsForAPeerWhatItIsHere()
    {
        using var waits = OfSlots(1_000, slot => slot % 2 == 0 ? 300_000_000 : 0);
        var before = waits.Report();
        using var stretch = OfSlots(1_000, slot => slot % 10 == 0 ? 4_000_000 : 30 * WakeUp);
        for (var slot = 0; slot < 1_000; slot++)
            waits.Add(Slot, slot % 10 == 0 ? 4_000_000 : 30 * WakeUp, 30);

        using var reported = ProcessorWaits.Of("the consumer", waits.Report().Since(before)!);

        reported.ShareAt(70_000, 5_000).ShouldBe(stretch.ShareAt(70_000, 5_000), 0.001);
        reported.ShareAt(20_000_000, 5_000).ShouldBe(0);
        reported.Share.ShouldBe(stretch.Share, stretch.Share / 16);
        before.Since(waits.Report()).ShouldBeNull();
    }

    [Fact]
    public void Report_OfWhatWasNotWatchedYet_IsEmpty()
    {
        using var waits = ProcessorWaits.OfThisProcess();

        waits.Report().Slots.ShouldBe(0);
        waits.Report().Excesses.ShouldBeEmpty();
    }

    [Fact]
    public void Of_NoSuchProcess_IsNone()
    {
        ProcessorWaits.Of("nobody", int.MaxValue).ShouldBeNull();
        ProcessorWaits.Of("nobody", Environment.ProcessId, "no such thread").ShouldBeNull();
    }

    private static ProcessorWaits OfSlots(int count, Func<int, long> waited, int wakeUps = 30)
    {
        var waits = ProcessorWaits.OfThisProcess();
        for (var slot = 0; slot < count; slot++)
            waits.Add(Slot, waited(slot), wakeUps);
        return waits;
    }

    private static void Spin(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
            _ = MonotonicClock.NowNs();
    }
}
