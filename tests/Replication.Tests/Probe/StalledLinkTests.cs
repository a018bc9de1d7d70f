using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>
/// A replication link that stays connected and again and again lets nothing through for some seconds: a run of two such
/// periods sees a stall from its beginning to its end, whenever it starts.
/// </summary>
public class StalledLinkTests
{
    private static readonly TimeSpan Between = TimeSpan.FromSeconds(2);

    [Theory]
    [InlineData(2, "--rate", "100", "--warmup", "0", "--deadline", "20s")]
    [InlineData(8, "--continuous", "--interval", "10ms")]
    public async Task Run_WhoseLinkStallsAndGoesOn_ReportsBoth(int seconds, params string[] how)
    {
        var stall = TimeSpan.FromSeconds(seconds);
        var period = stall + Between;
        await using var pair = await ReplicatedPair.Start(new LinkProfile
        {
            Back = new LinkSettings
            {
                Stalls = [.. Enumerable.Range(1, 100).Select(time => new LinkSpan(time * period, stall))],
            },
        });
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, ["--duration", $"{2 * period.TotalSeconds}s", .. how]);

        var (_, record) = await process.End().End(process);

        var kinds = record.EventKinds();
        kinds.Where(kind => kind is "link-stalled" or "link-resumed").Take(2)
            .ShouldBe(["link-stalled", "link-resumed"], process.ToString());
        kinds.ShouldNotContain("disconnected", "the connections stayed up");
        kinds.ShouldNotContain("partial-resync", "and the link's own");

        // A run that a busy machine begins late ends within a stall: what came due then has no value, nor has the tenth
        // that waits longest.
        var (count, missing) = ((long)record.Series("delay")["count"]!, (long)(record.Series("delay")["missing"] ?? 0L));
        if (missing * 9 > count)
            return;
        // One whole stall at least: of two periods a tenth waits for as long as this.
        var waited = stall - (0.2 * period);
        ((double)record.Percentile("delay", 90))
            .ShouldBeInRange(0.95 * waited.TotalNanoseconds, 1.05 * stall.TotalNanoseconds);
    }
}
