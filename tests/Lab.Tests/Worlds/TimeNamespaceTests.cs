using System.Diagnostics;
using RedisLatency.Fixtures;
using RedisLatency.Lab.Worlds;

namespace RedisLatency.Lab.Tests.Worlds;

public class TimeNamespaceTests
{
    [Fact]
    public async Task Wrap_OfAProgram_PutsItsClockAhead()
    {
        ServerRequirement.RequireTimeNamespaces();
        var namespaces = TimeNamespace.Find();
        namespaces.Problem.ShouldBeNull();

        string[] words = [.. namespaces.Wrap(100, ["cat", "/proc/self/timens_offsets"])];
        using var process = Process.Start(
            new ProcessStartInfo(words[0], words[1..]) { RedirectStandardOutput = true })!;
        var said = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        said.Split('\n')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries).ShouldBe(["monotonic", "100", "0"]);
    }
}
