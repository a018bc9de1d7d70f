using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Clocks;

/// <summary>A clock that another program's library puts in the place of the kernel's.</summary>
public sealed class FakeTimeTests
{
    [Fact]
    public async Task Run_WhoseClockRunsTwiceAsFast_EndsByThatClock()
    {
        // The kernel waits by its own clock: a moment of the other one came later and later.
        await using var producer = ServiceProcess.StartScript(
            "faketime", "-f", "+0 x2", BuiltProgram.Path, "producer", "--rate", "0",
            "--duration", "1s", "--warmup", "0");

        int[] measured = [0, 4];
        measured.ShouldContain(await producer.End(), producer.ToString());
        SavedRun.Of(producer).Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
    }
}
