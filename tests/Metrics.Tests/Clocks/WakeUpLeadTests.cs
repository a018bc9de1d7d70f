using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class WakeUpLeadTests
{
    private const long Us = 1_000;

    [Theory]
    [InlineData(5, 50)]
    [InlineData(90, 90)]
    [InlineData(4_000, 150)]
    public void Lead_IsWhatWakeUpsTake_FromFiftyTo150Microseconds(long wakeUpUs, long leadUs)
    {
        var lead = new WakeUpLead();

        for (var i = 0; i < 1_000; i++)
            lead.Learn(i * 1_000_000, (i * 1_000_000) + (wakeUpUs * Us));

        lead.Ns.ShouldBeInRange((leadUs - 1) * Us, (leadUs + 1) * Us);
    }

    [Fact]
    public void Lead_IsThatOfNineWakeUpsInTen()
    {
        var lead = new WakeUpLead();

        // From 1 to 100 µs, each as often, in no order.
        for (var i = 0; i < 20_000; i++)
            lead.Learn(0, ((i * 37 % 100) + 1) * Us);

        lead.Ns.ShouldBeInRange(80 * Us, 98 * Us);
    }

    [Fact]
    public void WaitThatSomethingElseEnds_SaysNothing()
    {
        var lead = new WakeUpLead();
        for (var i = 0; i < 1_000; i++)
            lead.Learn(0, 90 * Us);
        var before = lead.Ns;

        for (var i = 0; i < 1_000; i++)
            lead.Learn(1_000 * Us, 999 * Us);

        lead.Ns.ShouldBe(before);
    }

    [Fact]
    public void TryWaitFor_LeavesTheLeadForTheClock_AndDoesNotLearnFromWhatIsPast()
    {
        var lead = new WakeUpLead();
        var due = MonotonicClock.NowNs() + (20_000 * Us);

        lead.TryWaitFor(due, TestContext.Current.CancellationToken).ShouldBeTrue();
        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due - (150 * Us));
        for (var i = 0; i < 100; i++)
            lead.TryWaitFor(due - 1_000_000_000, TestContext.Current.CancellationToken).ShouldBeTrue();

        lead.Ns.ShouldBeLessThan(51 * Us);
    }

    [Fact]
    public void TryWaitFor_ThatShallEnd_SaysSo()
    {
        using var end = new CancellationTokenSource();
        end.Cancel();

        new WakeUpLead().TryWaitFor(MonotonicClock.NowNs() + 3_600_000_000_000, end.Token).ShouldBeFalse();
        new WakeUpLead().TryWaitFor(0, end.Token).ShouldBeFalse();
    }
}
