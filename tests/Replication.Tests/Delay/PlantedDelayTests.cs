using RedisLatency.Metrics.Clocks;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Delay;

/// <summary>
/// A real primary and its replica with a link between them whose own log is the truth. The keys need some time in the
/// servers too, and on a busy machine more of it: no delay is less than the link's, and the room above is ten times the
/// 2 % that an idle machine keeps.
/// </summary>
public class PlantedDelayTests
{
    private const double Room = 10 * 0.02;

    public static TheoryData<string> Links => ["symmetric", "asymmetric", "jittered", "stalled"];

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Run_ThroughALink_FindsWhatTheLinkDid(string link)
    {
        await using var pair = await ReplicatedPair.Start(ProfileOf(link));
        var since = MonotonicClock.NowNs();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "400", "--rate", "200", "--warmup", "0", "--deadline", "20s");

        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(400);
        var truth = pair.Truth.MeanOfKeys(since);
        record.Mean("delay-upper").ShouldBeGreaterThan(truth, process.ToString());
        record.Mean("delay").ShouldBe(truth, Room * truth, process.ToString());
        record.Mean("delay-lower").ShouldBeLessThan(truth * (1 + Room));
    }

    private static LinkProfile ProfileOf(string link) => link switch
    {
        "symmetric" => LinkProfile.Symmetric(TimeSpan.FromMilliseconds(60)),
        "asymmetric" => LinkProfile.Of(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(90)),
        "jittered" => new LinkProfile
        {
            Forward = new LinkWay { Delay = TimeSpan.FromMilliseconds(40) },
            Back = new LinkWay
            {
                Delay = TimeSpan.FromMilliseconds(40),
                Jitter = new Jitter(JitterShape.Exponential, TimeSpan.FromMilliseconds(20)),
            },
        },
        _ => new LinkProfile
        {
            Forward = new LinkWay { Delay = TimeSpan.FromMilliseconds(50) },
            Back = new LinkWay
            {
                Delay = TimeSpan.FromMilliseconds(50),
                Stalls = [.. Enumerable.Range(0, 60).Select(
                    second => new LinkSpan(TimeSpan.FromSeconds(second + 0.5), TimeSpan.FromMilliseconds(250)))],
            },
        },
    };
}
