using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

public sealed class TokenBucketTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Bucket_LetsItsRateThroughAndItsBurstOnce()
    {
        var bucket = new TokenBucket(100, 10, nowNs: 0);

        // Ten seconds, asked ten times as often as is allowed.
        var through = 0;
        for (var i = 0; i < 10_000; i++)
            through += TryTake(ref bucket, i * (Second / 1_000)) ? 1 : 0;

        through.ShouldBeInRange(1_008, 1_010);
    }

    [Fact]
    public void Bucket_DoesNotSaveUpMoreThanItsBurst()
    {
        var bucket = new TokenBucket(100, 10, nowNs: 0);

        var through = 0;
        for (var i = 0; i < 100; i++)
            through += TryTake(ref bucket, 3_600 * Second) ? 1 : 0;

        through.ShouldBe(10);
    }

    [Fact]
    public void Clock_ThatStepsBack_FillsNothingAndEmptiesNothing()
    {
        var bucket = new TokenBucket(1, 2, nowNs: 10 * Second);

        TryTake(ref bucket, 10 * Second).ShouldBeTrue();
        TryTake(ref bucket, 1).ShouldBeTrue();
        TryTake(ref bucket, 2).ShouldBeFalse();
        TryTake(ref bucket, 11 * Second).ShouldBeTrue();
    }

    private static bool TryTake(ref TokenBucket bucket, long nowNs)
    {
        if (!bucket.HasToken(nowNs))
            return false;
        bucket.Take();
        return true;
    }
}
