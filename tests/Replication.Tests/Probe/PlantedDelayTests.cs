using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>
/// A real primary and its replica with a link between them. What the link did to each key is in its own log, when the
/// replica applied it the replica tells: neither is the tool's word. A busy machine keeps keys waiting in the servers
/// too; that time is known as exactly, and is not the link's.
/// </summary>
public class PlantedDelayTests
{
    private const int Keys = 400;

    public static TheoryData<string> Links => ["symmetric", "asymmetric", "jittered", "stalled"];

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Run_ThroughALink_FindsWhatTheLinkDid(string link)
    {
        await using var pair = await ReplicatedPair.Start(ProfileOf(link));
        await using var truth = await StreamTruth.Start(pair);
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", $"{Keys}", "--rate", "200", "--warmup", "0", "--deadline", "20s",
            "--each-key", "--wait-interval", "0");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(Keys);
        var keys = await truth.Take(StreamTruth.LastKey(Keys - 1));
        var lines = KeyLine.Read(process.Folder);
        lines.Count.ShouldBe(Keys);
        truth.ShouldBeIn(record["summaries"]![0]!, lines, keys, process.ToString());
    }

    private static LinkProfile ProfileOf(string link) => link switch
    {
        "symmetric" => LinkProfile.Symmetric(TimeSpan.FromMilliseconds(60)),
        "asymmetric" => LinkProfile.Of(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(90)),
        "jittered" => new LinkProfile
        {
            Forward = new LinkSettings { Delay = TimeSpan.FromMilliseconds(40) },
            Back = new LinkSettings
            {
                Delay = TimeSpan.FromMilliseconds(40),
                Jitter = new Jitter(JitterShape.Exponential, TimeSpan.FromMilliseconds(20)),
            },
        },
        _ => new LinkProfile
        {
            Forward = new LinkSettings { Delay = TimeSpan.FromMilliseconds(50) },
            Back = new LinkSettings
            {
                Delay = TimeSpan.FromMilliseconds(50),
                Stalls = [.. Enumerable.Range(0, 60).Select(
                    second => new LinkSpan(TimeSpan.FromSeconds(second + 0.5), TimeSpan.FromMilliseconds(250)))],
            },
        },
    };
}
