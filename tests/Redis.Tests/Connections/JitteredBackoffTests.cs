using RedisLatency.Redis.Connections;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class JitteredBackoffTests
{
    [Fact]
    public void Bound_DoublesUpToTheLimit_AndStartsAgain()
    {
        var backoff = new JitteredBackoff(() => 1);

        Enumerable.Range(0, 6).Select(_ => backoff.Next().TotalMilliseconds)
            .ShouldBe([50, 100, 200, 400, 500, 500]);
        for (var i = 0; i < 100; i++)
            backoff.Next().ShouldBe(TimeSpan.FromMilliseconds(500));
        backoff.Reset();
        backoff.Next().ShouldBe(TimeSpan.FromMilliseconds(50));
    }

    [Fact]
    public void Wait_IsAnywhereBelowTheBound()
    {
        new JitteredBackoff(() => 0).Next().ShouldBe(TimeSpan.Zero);
        new JitteredBackoff(() => 0.5).Next().ShouldBe(TimeSpan.FromMilliseconds(25));
    }
}
