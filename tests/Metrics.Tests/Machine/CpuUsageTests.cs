using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class CpuUsageTests
{
    [Fact]
    public void Between_TwoSamplesOfALinuxHost_TellsTheSharesOfTheTimeBetween()
    {
        using var host = new HostFixture()
            .With("proc/stat", "cpu  100 0 50 800 10 0 0 40 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\nctxt 5")
            .With("proc/self/cgroup", "0::/")
            .With("sys/fs/cgroup/cpu.stat", "nr_throttled 2\nthrottled_usec 300");
        var start = CpuSample.Take(host.Root);

        host.With("proc/stat", "cpu  140 5 60 1100 20 3 2 70 7 0")
            .With("sys/fs/cgroup/cpu.stat", "nr_throttled 5\nthrottled_usec 1000");
        var usage = CpuUsage.Between(start, CpuSample.Take(host.Root));

        usage.HostBusyShare!.Value.ShouldBe(90 / 400.0, 1e-12);
        usage.HostStealShare!.Value.ShouldBe(30 / 400.0, 1e-12);
        usage.ThrottledPeriods.ShouldBe(3);
        usage.ThrottledNs.ShouldBe(700_000);
    }

    [Theory]
    [InlineData("cpu  1 2 3")]
    [InlineData("cpu  a b c d e f g h")]
    [InlineData("intr 5")]
    public void Between_SamplesOfAHostThatTellsNothing_LeavesItOut(string stat)
    {
        using var host = new HostFixture().With("proc/stat", stat);
        var start = CpuSample.Take(host.Root);

        var usage = CpuUsage.Between(start, CpuSample.Take(host.Root));

        usage.HostBusyShare.ShouldBeNull();
        usage.HostStealShare.ShouldBeNull();
        usage.ThrottledPeriods.ShouldBeNull();
        usage.ThrottledNs.ShouldBeNull();
    }

    [Fact]
    public void Between_SamplesAroundWork_CountsTheTimeItTook()
    {
        var start = CpuSample.Take();
        var before = Environment.CpuUsage.TotalTime;
        while (Environment.CpuUsage.TotalTime - before < TimeSpan.FromMilliseconds(20))
        {
        }

        var usage = CpuUsage.Between(start, CpuSample.Take());

        usage.ProcessNs.ShouldBeGreaterThanOrEqualTo(20_000_000);
        usage.ElapsedNs.ShouldBeGreaterThan(0);
        usage.ProcessCores.ShouldBeInRange(0.000_001, Environment.ProcessorCount + 1);
    }
}
