namespace RedisLatency.Redis.Tests.Connections;

public sealed class JitteredBackoffTests
{
    [Fact]
    public void Bound_DoublesUpToTheLimit_AndStartsAgain()
    {
        var backoff = new JitteredBackoff(random: () => 1);

        Enumerable.Range(0, 9).Select(_ => backoff.Next().TotalMilliseconds)
            .ShouldBe([50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        for (var i = 0; i < 100; i++)
            backoff.Next().ShouldBe(TimeSpan.FromSeconds(5));
        backoff.Reset();
        backoff.Next().ShouldBe(TimeSpan.FromMilliseconds(50));
    }

    [Fact]
    public void Wait_IsAnywhereBelowTheBound()
    {
        new JitteredBackoff(random: () => 0).Next().ShouldBe(TimeSpan.Zero);
        new JitteredBackoff(random: () => 0.5).Next().ShouldBe(TimeSpan.FromMilliseconds(25));
    }
}
