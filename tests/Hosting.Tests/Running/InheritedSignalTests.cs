using RedisLatency.Fixtures;

namespace RedisLatency.Hosting.Running;

/// <summary>That services end by SIGINT in tests that were started as a background command, which ignores it.</summary>
public sealed class InheritedSignalTests
{
    private static readonly string[] Ask = ["grep", "SigIgn:", "/proc/self/status"];

    [Theory]
    [InlineData("INT")]
    [InlineData("HUP")]
    public async Task Reset_OfAnIgnoredSignal_IsItsDefault(string signal)
    {
        Assert.SkipUnless(File.Exists("/proc/self/status"), "Needs Linux.");

        InheritedSignals.AreIgnored(await Said($"trap '' {signal}; exec {string.Join(' ', Ask)}")).ShouldBeTrue();
        InheritedSignals.AreIgnored(
            await Said($"trap '' {signal}; exec {string.Join(' ', InheritedSignals.Reset(Ask))}")).ShouldBeFalse();
    }

    [Fact]
    public async Task Service_IgnoresNeitherSignalWhateverTheTestsDo()
    {
        Assert.SkipUnless(File.Exists("/proc/self/status"), "Needs Linux.");

        InheritedSignals.AreIgnored(await Said(string.Join(' ', Ask))).ShouldBeFalse();
    }

    private static async Task<string> Said(string script)
    {
        await using var shell = ServiceProcess.StartScript("sh", "-c", script);
        (await shell.End()).ShouldBe(0, shell.ToString());
        return shell.Output.Lines.ShouldHaveSingleItem();
    }
}
