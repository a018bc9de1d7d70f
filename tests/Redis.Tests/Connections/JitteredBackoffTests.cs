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

    [Fact]
    public void Attempts_AreMadeUntilOneSucceeds()
    {
        var attempts = 0;

        NoWaits().TryUntilDone(
            () => ++attempts < 4 ? throw Gone() : attempts, _ => true, CancellationToken.None, out var result)
            .ShouldBeTrue();

        result.ShouldBe(4);
    }

    [Fact]
    public void FailureThatWillNotPass_IsThrown()
    {
        var attempts = 0;

        Should.Throw<RedisConnectionLostException>(() => NoWaits().TryUntilDone<int>(
            () => throw Gone(), _ => ++attempts < 2, CancellationToken.None, out _));

        attempts.ShouldBe(2);
    }

    [Fact]
    public void FailureThatMayPass_IsThrown_WherePatienceIsOver()
    {
        var attempts = 0;

        Should.Throw<RedisConnectionLostException>(() => NoWaits().TryFor<int>(
            () => throw Counted(), TimeSpan.Zero, CancellationToken.None, out _));
        attempts.ShouldBe(1);
        NoWaits().TryFor(
            () => ++attempts < 4 ? throw Gone() : attempts, TimeSpan.FromMinutes(1), CancellationToken.None, out _)
            .ShouldBeTrue();
        attempts.ShouldBe(4);
        Should.Throw<RedisServerException>(() => NoWaits().TryFor<int>(
            () => throw new RedisServerException("WRONGPASS"), TimeSpan.FromMinutes(1), CancellationToken.None, out _));

        RedisConnectionLostException Counted()
        {
            attempts++;
            return Gone();
        }
    }

    [Fact]
    public void StoppedBeforehand_OneAttemptIsMade_AndTheWaitIsLeftOut()
    {
        var attempts = 0;
        var backoff = new JitteredBackoff(() => 1, constant: TimeSpan.FromHours(1));

        backoff.TryUntilDone<int>(() => throw Gone(), _ => ++attempts > 0, new CancellationToken(true), out _)
            .ShouldBeFalse();

        attempts.ShouldBe(1);
    }

    private static JitteredBackoff NoWaits() => new(() => 0);

    private static RedisConnectionLostException Gone() => new("gone");
}
