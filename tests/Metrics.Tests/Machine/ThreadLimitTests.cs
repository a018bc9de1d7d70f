using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class ThreadLimitTests
{
    [Theory]
    [InlineData("0::/pod/container", "", "20", 20 - 12 + 2)]
    [InlineData("0::/pod/container", "", "max", 100 - 90 + 2)]
    [InlineData("9:cpu:/\n8:pids:/pod/container\n0::/", "/pids", "20", 20 - 12 + 2)]
    public void Read_OfGroupsThatLimitIt_TellsTheTightest(string membership, string mount, string own, long threads)
    {
        using var host = new HostFixture()
            .With("proc/self/cgroup", membership)
            .With("proc/self/task/41/stat", "41")
            .With("proc/self/task/42/stat", "42")
            .With($"sys/fs/cgroup{mount}/pod/container/pids.max", own)
            .With($"sys/fs/cgroup{mount}/pod/container/pids.current", "12")
            .With($"sys/fs/cgroup{mount}/pod/pids.max", "100")
            .With($"sys/fs/cgroup{mount}/pod/pids.current", "90");

        ThreadLimit.Read(new HostFiles(host.Root)).ShouldBe(threads);
    }

    [Theory]
    [InlineData("max")]
    [InlineData(null)]
    public void Read_WhereNothingLimitsIt_TellsNothing(string? own)
    {
        using var host = new HostFixture().With("proc/self/cgroup", "0::/a").With("proc/self/task/41/stat", "41");
        if (own is not null)
            host.With("sys/fs/cgroup/a/pids.max", own).With("sys/fs/cgroup/a/pids.current", "3");

        ThreadLimit.Read(new HostFiles(host.Root)).ShouldBeNull();
    }
}
