using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>
/// A replication link that stays connected and lets nothing through for two seconds of four: whenever a run of eight
/// seconds starts, it sees a stall from its beginning to its end.
/// </summary>
public class StalledLinkTests
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(2);

    [Theory]
    [InlineData("--rate", "100", "--warmup", "0", "--deadline", "20s", "--reading", "polling")]
    [InlineData("--rate", "100", "--warmup", "0", "--deadline", "20s", "--reading", "push")]
    [InlineData("--continuous", "--interval", "10ms")]
    public async Task Run_WhoseLinkStallsAndGoesOn_ReportsBoth(params string[] how)
    {
        await using var pair = await ReplicatedPair.Start(new LinkProfile
        {
            Back = new LinkWay
            {
                Stalls = [.. Enumerable.Range(1, 100).Select(time => new LinkSpan(time * Every, Length))],
            },
        });
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, ["--duration", "8s", .. how]);

        var (_, record) = await process.End().End(process);

        var kinds = record.EventKinds();
        kinds.Where(kind => kind is "link-stalled" or "link-resumed").Take(2)
            .ShouldBe(["link-stalled", "link-resumed"], process.ToString());
        kinds.ShouldNotContain("disconnected", "the connections stayed up");
        kinds.ShouldNotContain("partial-resync", "and the link's own");
    }
}
