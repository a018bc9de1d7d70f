using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class MachineFactsTests
{
    [Fact]
    public void Read_OfALinuxHost_TellsWhatItsKernelTells()
    {
        using var host = new HostFixture()
            .With("proc/sys/kernel/osrelease", "6.8.0-1009-aws")
            .With("proc/cpuinfo", "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 7R13\nflags\t: fpu")
            .With("proc/self/timerslack_ns", "50000")
            .With("sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock")
            .With("sys/devices/system/cpu/cpuidle/current_governor", "menu")
            .With("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state0/name", "POLL")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state0/latency", "0")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state0/disable", "0")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state10/name", "C6")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state10/latency", "133")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state10/disable", "1")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state2/name", "C2")
            .With("sys/devices/system/cpu/cpu0/cpuidle/state2/latency", "40");

        var facts = MachineFacts.Read(new HostFiles(host.Root));

        facts.Kernel.ShouldBe("6.8.0-1009-aws");
        facts.ProcessorModel.ShouldBe("AMD EPYC 7R13");
        facts.TimerSlackNs.ShouldBe(50_000);
        facts.ClockSource.ShouldBe("kvm-clock");
        facts.IdleGovernor.ShouldBe("menu");
        facts.FrequencyGovernor.ShouldBe("performance");
        facts.IdleStates.ShouldBe("POLL 0, C2 40, C6 133 (off)");
    }

    [Fact]
    public void Read_OfAnArmHost_TellsTheCore()
    {
        using var host = new HostFixture()
            .With("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40");

        MachineFacts.Read(new HostFiles(host.Root)).ProcessorModel
            .ShouldBe("ARM implementer 0x41, part 0xd40");
    }

    [Fact]
    public void Read_WhereTheKernelTellsNothing_LeavesItOut()
    {
        using var host = new HostFixture();

        var facts = MachineFacts.Read(new HostFiles(host.Root));

        facts.ClockSource.ShouldBeNull();
        facts.IdleStates.ShouldBeNull();
        facts.IdleGovernor.ShouldBeNull();
        facts.FrequencyGovernor.ShouldBeNull();
        facts.TimerSlackNs.ShouldBeNull();
        facts.CpuQuotaCores.ShouldBeNull();
        facts.Kernel.ShouldNotBeNullOrEmpty();
        facts.ProcessorModel.ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public void Read_OfThisHost_TellsWhatEveryHostTells()
    {
        var facts = MachineFacts.Read();

        facts.MachineName.ShouldNotBeNullOrEmpty();
        facts.OperatingSystem.ShouldNotBeNullOrEmpty();
        facts.Architecture.ShouldNotBeNullOrEmpty();
        facts.Cores.ShouldBeGreaterThan(0);
        facts.ClockResolutionNs.ShouldBeGreaterThan(0);
        facts.ClockReadCost!.Value.MedianNs.ShouldBeGreaterThan(0);
        facts.Runtime.Version.ShouldStartWith(".NET");
    }

    [Fact]
    public void Read_OfTheRuntime_TellsHowThisProgramWasBuilt()
    {
        var facts = RuntimeFacts.Read();

        facts.Optimized.ShouldBeTrue();
        facts.ServerGc.ShouldBe(System.Runtime.GCSettings.IsServerGC);
        facts.ConcurrentGc.ShouldBeFalse();
        facts.BuildConfiguration.ShouldBeOneOf("Debug", "Release");
        facts.Native.ShouldBe(false);
    }
}
