using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.Tests.Lanes;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class ReconnectorTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    [Fact]
    public void TransientErrors_AreTriedThrough()
    {
        var failures = 3;
        using var reconnector = new Reconnector<IPubSubLane>(
            () => failures-- > 0 ? throw new RedisConnectionLostException("gone") : new StubLane(), NoWaits());

        Take(reconnector).ShouldBeOfType<StubLane>();
        failures.ShouldBe(-1);
        reconnector.LastError!.Message.ShouldBe("gone");
        reconnector.Failure.ShouldBeNull();
        reconnector.TryTake(out _).ShouldBeFalse();
    }

    [Theory]
    [InlineData(ConnectFailure.CertificateUntrusted)]
    [InlineData(ConnectFailure.CertificateNameMismatch)]
    [InlineData(ConnectFailure.ClientCertificateRefused)]
    public void Certificates_MayBeRenewedAtTheOtherEnd_AndAreTriedThrough(ConnectFailure reason)
    {
        var failures = 3;
        using var reconnector = new Reconnector<IPubSubLane>(
            () => failures-- > 0 ? throw new RedisConnectException(reason, "another authority") : new StubLane(), NoWaits());

        Take(reconnector).ShouldBeOfType<StubLane>();
        failures.ShouldBe(-1);
    }

    [Fact]
    public void ErrorThatWillNotPass_EndsIt()
    {
        var error = new RedisConnectException(ConnectFailure.AuthenticationFailed, "wrong");
        var attempts = 0;
        using var reconnector = new Reconnector<IPubSubLane>(() => throw Counted(), NoWaits());

        SpinWait.SpinUntil(() => reconnector.Failure is not null, Limit).ShouldBeTrue();
        reconnector.Failure.ShouldBe(error);
        attempts.ShouldBe(1);
        reconnector.TryTake(out _).ShouldBeFalse();

        RedisConnectException Counted()
        {
            attempts++;
            return error;
        }
    }

    [Fact]
    public void Disposal_WhileALaneOpens_ClosesThatLane()
    {
        using var mayOpen = new ManualResetEventSlim();
        using var opening = new ManualResetEventSlim();
        var lane = new StubLane();
        var reconnector = new Reconnector<IPubSubLane>(
            () =>
            {
                opening.Set();
                mayOpen.Wait(Limit, RedisTest.Cancellation);
                return lane;
            },
            NoWaits());
        opening.Wait(Limit, RedisTest.Cancellation).ShouldBeTrue();

        reconnector.Dispose();
        mayOpen.Set();

        lane.Closed.Wait(Limit, RedisTest.Cancellation).ShouldBeTrue();
        reconnector.TryTake(out _).ShouldBeFalse();
    }

    [Fact]
    public void Disposal_WhileItWaits_EndsTheWaiting()
    {
        var attempts = 0;
        var reconnector = new Reconnector<IPubSubLane>(
            () => throw new RedisConnectionLostException($"gone {++attempts}"),
            new Reconnection(new JitteredBackoff(() => 1, constant: TimeSpan.FromHours(1))));
        SpinWait.SpinUntil(() => reconnector.LastError is not null, Limit).ShouldBeTrue();

        reconnector.Dispose();

        attempts.ShouldBe(1);
    }

    [Fact]
    public async Task Server_KilledAndStartedAgain_IsSubscribedToAgain()
    {
        await using var server = await RedisTest.StartServer();
        var lane = LaneTest.Open(server.Uri);
        await server.Kill();
        Should.Throw<RedisConnectionLostException>(() => LaneTest.Receive(lane).Channel);
        lane.Dispose();

        using var reconnector = new Reconnector<IPubSubLane>(() => LaneTest.Open(server.Uri));
        SpinWait.SpinUntil(() => reconnector.LastError is not null, Limit).ShouldBeTrue();
        await server.Restart();

        using var again = Take(reconnector);
        again.Publish(0, [9]);
        LaneTest.ReceiveBytes(again).ShouldBe([9]);
    }

    private static Reconnection NoWaits() => new(new JitteredBackoff(() => 0));

    private static IPubSubLane Take(Reconnector<IPubSubLane> reconnector)
    {
        IPubSubLane? lane = null;
        SpinWait.SpinUntil(() => reconnector.TryTake(out lane), Limit).ShouldBeTrue();
        return lane!;
    }

    private sealed class StubLane : IPubSubLane
    {
        public ManualResetEventSlim Closed { get; } = new();

        public LaneDescription Description { get; } = new("stub", "1", 3, "none", false);

        public void Publish(int channel, ReadOnlySpan<byte> payload)
        {
        }

        public bool TryReceive(long untilTimestamp, out LaneMessage message)
        {
            message = default;
            return false;
        }

        public void DrainReplies()
        {
        }

        public void Ask()
        {
        }

        public long? UnansweredSince => null;

        public void Dispose() => Closed.Set();
    }
}
