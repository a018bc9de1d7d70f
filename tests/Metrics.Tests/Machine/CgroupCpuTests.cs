using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class CgroupCpuTests
{
    private const string ThrottledStat =
        "usage_usec 9000\nnr_periods 50\nnr_throttled 7\nthrottled_usec 1500\nnr_bursts 0";

    [Fact]
    public void Find_OfAVersion2Group_TellsItsQuotaAndThrottling()
    {
        using var host = new HostFixture()
            .With("proc/self/cgroup", "0::/system.slice/producer.service")
            .With("sys/fs/cgroup/system.slice/producer.service/cpu.max", "150000 100000")
            .With("sys/fs/cgroup/system.slice/producer.service/cpu.stat", ThrottledStat)
            .With("sys/fs/cgroup/cpu.stat", "usage_usec 1");

        var group = CgroupCpu.Find(new HostFiles(host.Root));

        group.QuotaCores.ShouldBe(1.5);
        group.ReadThrottling().ShouldBe((7, 1_500_000));
    }

    [Fact]
    public void Find_WhereAGroupAboveIsTighter_TellsThatOne()
    {
        using var host = new HostFixture()
            .With("proc/self/cgroup", "0::/pod/container")
            .With("sys/fs/cgroup/pod/container/cpu.max", "400000 100000")
            .With("sys/fs/cgroup/pod/container/cpu.stat", "nr_throttled 0\nthrottled_usec 0")
            .With("sys/fs/cgroup/pod/cpu.max", "50000 100000")
            .With("sys/fs/cgroup/pod/cpu.stat", ThrottledStat);

        var group = CgroupCpu.Find(new HostFiles(host.Root));

        group.QuotaCores.ShouldBe(0.5);
        group.ReadThrottling().ShouldBe((7, 1_500_000));
    }

    [Fact]
    public void Find_OfAVersion1Group_TellsItsQuotaAndThrottling()
    {
        using var host = new HostFixture()
            .With("proc/self/cgroup", "5:memory:/docker/a\n4:cpu,cpuacct:/docker/a\n0::/")
            .With("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000")
            .With("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000")
            .With("sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 5\nnr_throttled 3\nthrottled_time 12345");

        var group = CgroupCpu.Find(new HostFiles(host.Root));

        group.QuotaCores.ShouldBe(2);
        group.ReadThrottling().ShouldBe((3, 12_345));
    }

    [Fact]
    public void Find_WithoutALimit_HasNoQuotaButStillThrottlingCounts()
    {
        using var host = new HostFixture()
            .With("proc/self/cgroup", "0::/")
            .With("sys/fs/cgroup/cpu.max", "max 100000")
            .With("sys/fs/cgroup/cpu.stat", "nr_throttled 0\nthrottled_usec 0");

        var group = CgroupCpu.Find(new HostFiles(host.Root));

        group.QuotaCores.ShouldBeNull();
        group.ReadThrottling().ShouldBe((0, 0));
    }

    [Theory]
    [InlineData("")]
    [InlineData("0::/../../elsewhere")]
    [InlineData("nonsense")]
    [InlineData("0::/gone")]
    public void Find_WhereNothingCanBeRead_TellsNothing(string membership)
    {
        using var host = new HostFixture().With("proc/self/cgroup", membership);

        var group = CgroupCpu.Find(new HostFiles(host.Root));

        group.QuotaCores.ShouldBeNull();
        group.ReadThrottling().ShouldBeNull();
    }
}
