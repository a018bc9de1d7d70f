using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

public sealed class DelayTests
{
    private const long Millisecond = 1_000_000;

    [Fact]
    public async Task EachWay_GivesItsOwnDelayAndNeverLess()
    {
        using var test = new LinkTest(LinkProfile.Of(TimeSpan.FromMilliseconds(4), TimeSpan.FromMilliseconds(9)));
        var (near, far) = await test.Connect();

        for (var message = 0; message < 50; message++)
        {
            await LinkTest.Pass(near, far);
            await LinkTest.Pass(far, near);
        }

        await test.Witness.WaitFor(chunks => chunks.Count == 100);
        test.Witness.Of(LinkDirection.Forward).ShouldAllBe(chunk => chunk.AskedNs == 4 * Millisecond);
        test.Witness.Of(LinkDirection.Back).ShouldAllBe(chunk => chunk.AskedNs == 9 * Millisecond);
        test.Witness.Chunks.ShouldAllBe(chunk => chunk.GivenNs >= chunk.AskedNs && chunk.Bytes == 1);
    }

    [Fact]
    public async Task GivenDelay_IsWhatTheEndsSee()
    {
        using var test = new LinkTest(LinkProfile.Of(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(2)));
        var (near, far) = await test.Connect();
        var seen = new List<long>();

        for (var message = 0; message < 50; message++)
        {
            var sent = TimeProvider.System.GetTimestamp();
            await LinkTest.Pass(near, far);
            seen.Add((long)TimeProvider.System.GetElapsedTime(sent).TotalNanoseconds);
        }

        seen.ShouldAllBe(time => time >= 5 * Millisecond);
    }

    [Fact]
    public async Task Jitter_NeverChangesTheOrderOfAConnection()
    {
        using var test = new LinkTest(new LinkProfile
        {
            Forward = new LinkSettings { Jitter = new Jitter(JitterShape.Exponential, TimeSpan.FromMilliseconds(2)) },
        });
        var (near, far) = await test.Connect();
        var sent = new byte[500];
        new Random(7).NextBytes(sent);

        foreach (var one in sent)
            await near.SendAsync(new[] { one });

        (await LinkTest.ReadExactly(far, sent.Length)).ShouldBe(sent);
        test.Witness.Chunks.ShouldAllBe(chunk => chunk.GivenNs >= chunk.AskedNs);
    }

    [Fact]
    public async Task Rate_SpreadsWhatIsSentAtOnce()
    {
        const int bytes = 20_000;
        const int perSecond = 200_000;
        using var test = new LinkTest(new LinkProfile { Forward = new LinkSettings { Rate = perSecond } });
        var (near, far) = await test.Connect();

        await near.SendAsync(new byte[bytes]);
        await LinkTest.ReadExactly(far, bytes);

        await test.Witness.WaitFor(chunks => chunks.Sum(chunk => chunk.Bytes) == bytes);
        var chunks = test.Witness.Chunks;
        (chunks[^1].ReleasedNs - chunks[0].ArrivedNs).ShouldBeGreaterThanOrEqualTo(
            bytes * 1_000_000_000L / perSecond - Millisecond);
        chunks.Count.ShouldBeGreaterThanOrEqualTo(100);
    }

    [Fact]
    public async Task Stall_HoldsEverythingUntilItsEnd()
    {
        var stall = new LinkSpan(TimeSpan.Zero, TimeSpan.FromMilliseconds(400));
        using var test = new LinkTest(new LinkProfile { Forward = new LinkSettings { Stalls = [stall] } });
        var (near, far) = await test.Connect();

        for (byte message = 0; message < 10; message++)
            await near.SendAsync(new[] { message });

        (await LinkTest.ReadExactly(far, 10)).ShouldBe([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        await test.Witness.WaitFor(chunks => chunks.Sum(chunk => chunk.Bytes) == 10);
        test.Witness.Chunks.Where(chunk => chunk.ArrivedNs < test.Link.StartedNs + (400 * Millisecond))
            .ShouldAllBe(chunk => chunk.ReleasedNs >= test.Link.StartedNs + (400 * Millisecond));
    }

    [Fact]
    public async Task Stall_OfOneWay_LeavesTheOtherAlone()
    {
        var stall = new LinkSpan(TimeSpan.Zero, TimeSpan.FromHours(1));
        using var test = new LinkTest(new LinkProfile { Forward = new LinkSettings { Stalls = [stall] } });
        var (near, far) = await test.Connect();

        await near.SendAsync(new byte[] { 1 });
        await LinkTest.Pass(far, near);

        test.Witness.Of(LinkDirection.Forward).ShouldBeEmpty();
    }
}
