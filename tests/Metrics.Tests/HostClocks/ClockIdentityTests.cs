using System.Diagnostics;
using System.Text.Json;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Tests.Machine;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class ClockIdentityTests
{
    private static readonly ClockIdentity Here = new("boot", "time:[1]", "a");

    [Fact]
    public void Read_TwiceInOneProcess_ClaimsTheSameClockWhereTheSystemNamesItsBoot()
    {
        var identity = ClockIdentity.Read();

        identity.ClaimsSameClock(ClockIdentity.Read()).ShouldBe(OperatingSystem.IsLinux());
        identity.Host.ShouldNotBeEmpty();
    }

    [Fact]
    public void ClaimsSameClock_OfContainersOfOneBoot_IsTrueWhateverTheirNames() =>
        Here.ClaimsSameClock(Here with { Host = "b" }).ShouldBeTrue();

    [Fact]
    public void ClaimsSameClock_OfAnotherBootOrNamespace_IsFalse()
    {
        Here.ClaimsSameClock(Here with { BootId = "other" }).ShouldBeFalse();
        Here.ClaimsSameClock(Here with { TimeNamespace = "time:[2]" }).ShouldBeFalse();
        Here.ClaimsSameClock(Here with { TimeNamespace = null }).ShouldBeFalse();
    }

    [Fact]
    public void ClaimsSameClock_WhereNobodyNamesTheBoot_IsFalse()
    {
        var nameless = new ClockIdentity(null, null, "a");

        nameless.ClaimsSameClock(nameless).ShouldBeFalse();
    }

    [Fact]
    public void Read_OfAnOldKernel_HasABootButNoNamespace()
    {
        using var host = new HostFixture().With("proc/sys/kernel/random/boot_id", "4c6d25d5-3dd2");

        var identity = ClockIdentity.Read(new HostFiles(host.Root));

        identity.ShouldBe(new ClockIdentity("4c6d25d5-3dd2", null, Environment.MachineName));
    }

    [Fact]
    public void Identity_ThroughJson_IsTheSame() =>
        JsonSerializer.Deserialize<ClockIdentity>(JsonSerializer.Serialize(Here)).ShouldBe(Here);

    [Fact]
    public async Task ReadLink_OfAProcessInItsOwnTimeNamespace_DiffersFromThisOne()
    {
        const string Root = "--time --monotonic 100 --fork --kill-child readlink /proc/self/ns/time";
        ServerRequirement.RequireTimeNamespaces();
        var start = new ProcessStartInfo("unshare", Root.Split(' '))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var other = (await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Trim();
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        var here = ClockIdentity.Read();

        other.ShouldStartWith("time:[");
        here.TimeNamespace.ShouldNotBeNull().ShouldStartWith("time:[");
        here.ClaimsSameClock(here with { TimeNamespace = other }).ShouldBeFalse();
    }
}
