using RedisLatency.Redis.Connections;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class ReconnectionTests
{
    private static readonly CancellationToken Stopped = new(canceled: true);

    private int _attempts;

    [Fact]
    public void Attempts_AreMadeUntilOneSucceeds()
    {
        NoPauses().TryReach(FailsUntil(4), CancellationToken.None, out var result).ShouldBeTrue();

        result.ShouldBe(4);
    }

    [Fact]
    public void FailureThatWillNotPass_IsThrown()
    {
        Should.Throw<RedisServerException>(() => NoPauses().TryReach<int>(
            () => throw new RedisServerException("WRONGPASS"), CancellationToken.None, out _));
        Should.Throw<RedisConnectionLostException>(() => NoPauses().TryReach(
            FailsUntil(int.MaxValue), CancellationToken.None, out _, mayPass: _ => _attempts < 2));

        _attempts.ShouldBe(2);
    }

    [Fact]
    public void FailureThatMayPass_IsThrown_WhereTheLimitIsOver()
    {
        Should.Throw<RedisConnectionLostException>(() => NoPauses(TimeSpan.Zero).TryReach(
            FailsUntil(int.MaxValue), CancellationToken.None, out _));

        _attempts.ShouldBe(1);
    }

    [Fact]
    public void StoppedBeforehand_OneAttemptIsMade_AndThePauseIsLeftOut()
    {
        LongPauses().TryReach(FailsUntil(int.MaxValue), Stopped, out _).ShouldBeFalse();

        _attempts.ShouldBe(1);
    }

    [Fact]
    public void ConnectionThatWasLostBeforeItServed_IsNotTriedAgainWithoutAPause()
    {
        var reconnection = LongPauses();
        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeTrue();

        // A pause of an hour ends here only because it is stopped.
        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeFalse();

        _attempts.ShouldBe(1);
        reconnection.IsUnproven.ShouldBeTrue();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ConnectionThatServed_IsTriedAtOnce(bool isSaid)
    {
        var reconnection = LongPauses(lasting: isSaid ? TimeSpan.MaxValue : TimeSpan.Zero);
        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeTrue();
        if (isSaid)
            reconnection.NoteServed();

        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeTrue();

        _attempts.ShouldBe(2);
    }

    [Fact]
    public void AnotherServer_IsTriedAtOnce_InTheSameOutage()
    {
        var reconnection = LongPauses(TimeSpan.Zero);
        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeTrue();

        reconnection.LeaveServer();

        reconnection.IsOverdue.ShouldBeTrue();
        reconnection.TryReach(FailsUntil(1), Stopped, out _).ShouldBeTrue();
    }

    [Fact]
    public void Pauses_GoOnFromOneShortLifeToTheNext()
    {
        var pauses = new JitteredBackoff(() => 0);
        var reconnection = new Reconnection(pauses);
        for (var i = 0; i < 3; i++)
            reconnection.TryReach(FailsUntil(1), CancellationToken.None, out _).ShouldBeTrue();

        pauses.Bound.ShouldBe(TimeSpan.FromMilliseconds(200));
        reconnection.NoteServed();
        pauses.Bound.ShouldBe(TimeSpan.FromMilliseconds(50));
    }

    [Fact]
    public void Limit_GoesOnFromOneShortLifeToTheNext_ButNotPastARefusal()
    {
        var reconnection = NoPauses(TimeSpan.Zero);
        reconnection.TryReach(FailsUntil(1), CancellationToken.None, out _).ShouldBeTrue();
        reconnection.IsOverdue.ShouldBeTrue();

        reconnection.NoteRefused();

        reconnection.IsOverdue.ShouldBeFalse();
        reconnection.IsUnproven.ShouldBeTrue("one that refuses and closes is no more than one that closes");
    }

    private static Reconnection NoPauses(TimeSpan? limit = null) => new(new JitteredBackoff(() => 0), limit);

    private static Reconnection LongPauses(TimeSpan? limit = null, TimeSpan? lasting = null) =>
        new(new JitteredBackoff(() => 1, constant: TimeSpan.FromHours(1)), limit)
        {
            Lasting = lasting ?? TimeSpan.MaxValue,
        };

    private Func<int> FailsUntil(int attempt) =>
        () => ++_attempts < attempt ? throw new RedisConnectionLostException("gone") : _attempts;
}
