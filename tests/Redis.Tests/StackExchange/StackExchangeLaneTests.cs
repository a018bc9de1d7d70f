using System.Diagnostics;
using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class StackExchangeLaneTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(false, RespPreference.Resp2)]
    [InlineData(true, RespPreference.Resp2)]
    [InlineData(false, RespPreference.Resp3)]
    [InlineData(true, RespPreference.Resp3)]
    public async Task TryReceive_OfTenThousandMessages_ReturnsEachOnceAndInOrder(
        bool busyPoll, RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll, ["ping"], ["ping"], protocol);
        lane.Description.Protocol.ShouldBe((int)protocol);

        for (var i = 0; i < 10_000; i++)
            lane.Publish(0, Number(i));

        for (var i = 0; i < 10_000; i++)
            Receive(lane).Payload.ShouldBe(Number(i));
        lane.TryReceive(0, out _).ShouldBeFalse();
    }

    [Fact]
    public async Task Publish_OfAnySize_ArrivesAsItWas()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "ping");
        foreach (var size in (int[])[0, 1, 2, 255, 256, 511, 512, 513, 4096, 65_535, 65_536, 1 << 20])
        {
            var payload = new byte[size];
            new Random(size).NextBytes(payload);

            lane.Publish(0, payload);

            Receive(lane).Payload.ShouldBe(payload);
        }
    }

    [Fact]
    public async Task TryReceive_OnSeveralChannels_TellsWhichAndStampsInTheReceiversOrder()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "a", "b", "[c]*");
        var before = Stopwatch.GetTimestamp();
        for (var i = 0; i < 30; i++)
            lane.Publish(i % 3, Number(i));

        var messages = Enumerable.Range(0, 30).Select(_ => Receive(lane)).ToArray();

        for (var channel = 0; channel < 3; channel++)
        {
            messages.Where(message => message.Channel == channel).Select(message => Parse(message.Payload))
                .ShouldBe(Enumerable.Range(0, 10).Select(i => (i * 3) + channel));
        }

        messages.ShouldAllBe(message =>
            message.ReceivedTimestamp > before && message.ReceivedTimestamp <= Stopwatch.GetTimestamp());
    }

    [Fact]
    public async Task TryReceive_WithoutMessages_ReturnsWhenTheTimeHasCome()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "ping");
        var until = Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 50);

        while (Stopwatch.GetTimestamp() < until)
            lane.TryReceive(until, out _).ShouldBeFalse();

        Stopwatch.GetElapsedTime(until).ShouldBeLessThan(Limit);
    }

    [Fact]
    public async Task TryReceive_FromAQueueThatIsTooSmall_CountsEveryMessageThatIsGone()
    {
        const int sent = 5_000;
        await using var server = await RedisTest.StartServer();
        using var lane = StackExchangeLane.Open(
            RedisEndpoint.Parse(server.Uri),
            Patience.Connection,
            new LaneOptions { PublishChannels = ["ping"], SubscribeChannels = ["ping"] },
            queueCapacity: 16);
        for (var i = 0; i < sent; i++)
            lane.Publish(0, Number(i));

        var (received, gone) = (0, 0L);
        while (received + gone < sent)
        {
            try
            {
                Receive(lane);
                received++;
            }
            catch (ReceiveOverflowException overflow)
            {
                gone += overflow.Count;
            }
        }

        (received + gone).ShouldBe(sent);
    }

    [Theory]
    [InlineData(RespPreference.Resp2)]
    [InlineData(RespPreference.Resp3)]
    public async Task Lane_WhoseServerIsKilled_DeliversWhatItHadAndThenSaysThatItIsLost(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, ["ping"], ["ping"], protocol);
        lane.Publish(0, "last"u8);
        using (var witness = Open(server.Uri, busyPoll: false, "witness"))
        {
            // Its answer comes after the message above: that is through the server when the server dies.
            witness.Publish(0, "witness"u8);
            Receive(witness);
        }

        Receive(lane).Payload.ShouldBe("last"u8.ToArray());

        await server.Kill();

        Should.Throw<RedisConnectionLostException>(() => Receive(lane)).IsTransient.ShouldBeTrue();
        Should.Throw<RedisConnectionLostException>(() => lane.Publish(0, "more"u8));
        Should.Throw<RedisConnectionLostException>(lane.DrainReplies);
    }

    [Fact]
    public async Task Lane_WhoseServerCameBack_StaysLostUntilAnotherIsOpened()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "ping");
        await server.Kill();
        Should.Throw<RedisConnectionLostException>(() => Receive(lane));

        await server.Restart();

        Should.Throw<RedisConnectionLostException>(() => lane.Publish(0, "more"u8));
        using var another = Open(server.Uri, busyPoll: false, "ping");
        another.Publish(0, "more"u8);
        Receive(another).Payload.ShouldBe("more"u8.ToArray());
    }

    [Fact]
    public async Task Ask_IsAnsweredByAServerThatIsThere_AndNotByOneThatStandsStill()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "ping");
        lane.Ask();
        SpinWait.SpinUntil(() => lane.UnansweredSince is null, ServiceProcess.LimitAgainstHangs).ShouldBeTrue();

        server.Pause();
        lane.Ask();
        var asked = lane.UnansweredSince.ShouldNotBeNull();
        lane.Ask();
        lane.UnansweredSince.ShouldBe(asked);
        server.Resume();

        SpinWait.SpinUntil(() => lane.UnansweredSince is null, ServiceProcess.LimitAgainstHangs).ShouldBeTrue();
    }

    [Fact]
    public async Task DrainReplies_AfterAPublishThatTheServerRefused_ThrowsItsError()
    {
        await using var server = await RedisTest.StartServer(["--user", .. "default on nopass ~* +@all resetchannels &open".Split(' ')]);
        using var lane = Open(server.Uri, busyPoll: false, [], ["open", "closed"]);
        lane.Publish(1, "secret"u8);

        var refusal = Should.Throw<RedisServerException>(() => DrainUntilRefused(lane));

        refusal.Code.ShouldBe("NOPERM");
    }

    [Fact]
    public async Task Open_ForAChannelThatTheUserMayNotHear_SaysNotPermitted()
    {
        await using var server =
            await RedisTest.StartServer(["--user", .. "default on nopass ~* +@all resetchannels &open".Split(' ')]);

        Should.Throw<RedisConnectException>(() => Open(server.Uri, busyPoll: false, ["closed"], ["open"]))
            .Reason.ShouldBe(ConnectFailure.NotPermitted);
    }

    [Fact]
    public async Task Description_TellsTheVersionThatRuns()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = Open(server.Uri, busyPoll: false, "ping");

        lane.Description.Driver.ShouldBe("stackexchange");
        lane.Description.Version.ShouldMatch(@"^3\.\d+\.\d+$");
        lane.Description.Transport.ShouldStartWith("tcp");
        lane.Description.AllocatesPerMessage.ShouldBeTrue();
    }

    [Fact]
    public async Task Open_WithAWrongPassword_SaysThatAuthenticationFailed()
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");

        var failure = Should.Throw<RedisConnectException>(() => Open(server.Uri.Replace("//", "//:wrong@"), false, "ping"));

        failure.Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
        failure.Message.ShouldNotContain("wrong@");
        failure.IsTransient.ShouldBeFalse();
    }

    [Fact]
    public async Task Open_WithTheRightPassword_Measures()
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");
        using var lane = Open(server.Uri.Replace("//", "//:secret@"), busyPoll: false, "ping");

        lane.Publish(0, "payload"u8);

        Receive(lane).Payload.ShouldBe("payload"u8.ToArray());
    }

    [Fact]
    public void Open_WhereNobodyListens_SaysRefused()
    {
        var uri = $"redis://127.0.0.1:{FreePort.Next().ToString(CultureInfo.InvariantCulture)}";

        var failure = Should.Throw<RedisConnectException>(() => Open(uri, false, "ping"));

        failure.Reason.ShouldBe(ConnectFailure.Refused);
    }

    /// <summary>
    /// The client alone lets a wrong password pass where the default user needs none, and is somebody else.
    /// </summary>
    [Theory]
    [InlineData(RespPreference.Resp2)]
    [InlineData(RespPreference.Resp3)]
    public async Task Open_WithAUsersWrongPassword_SaysThatAuthenticationFailed(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer(["--user", .. "alice on >secret ~* &* +@all".Split(' ')]);
        var endpoint = RedisEndpoint.Parse(server.Uri.Replace("//", "//alice:wrong@"));
        var options = Patience.Connection with { Protocol = protocol };

        using var client = ClientConnection.Open(endpoint, options, isPublishing: false);
        client.GetDatabase().Execute("ACL", "WHOAMI").ToString().ShouldBe("default");

        var lane = new LaneOptions { PublishChannels = ["ping"] };
        Should.Throw<RedisConnectException>(() => StackExchangeLane.Open(endpoint, options, lane))
            .Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
        Should.Throw<RedisConnectException>(() => ApplicationClient.Open([endpoint], options))
            .Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
    }

    [Fact]
    public async Task Open_OverAUnixSocketAsAUser_Measures()
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-unix-").FullName;
        try
        {
            var socket = Path.Combine(folder, "redis.sock");
            await using var server = await RedisTest.StartServer(
                ["--unixsocket", socket, "--user", .. "alice on >secret ~* &* +@all".Split(' ')]);
            using var lane = Open($"unix://alice:secret@{socket}", busyPoll: false, "ping");

            lane.Publish(0, "payload"u8);

            Receive(lane).Payload.ShouldBe("payload"u8.ToArray());
            lane.Description.Transport.ShouldStartWith("unix");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void DrainUntilRefused(StackExchangeLane lane)
    {
        for (var deadline = After(Limit); Stopwatch.GetTimestamp() < deadline;)
            lane.DrainReplies();
    }

    private static (int Channel, byte[] Payload, long ReceivedTimestamp) Receive(StackExchangeLane lane)
    {
        for (var deadline = After(Limit); Stopwatch.GetTimestamp() < deadline;)
        {
            if (lane.TryReceive(deadline, out var message))
                return (message.Channel, message.Payload.ToArray(), message.ReceivedTimestamp);
        }

        throw new TimeoutException("No message came.");
    }

    private static StackExchangeLane Open(string uri, bool busyPoll, params string[] channels) =>
        Open(uri, busyPoll, channels, channels);

    private static StackExchangeLane Open(
        string uri, bool busyPoll, string[] subscribe, string[] publish, RespPreference protocol = default) =>
        StackExchangeLane.Open(
            RedisEndpoint.Parse(uri),
            Patience.Connection with { Protocol = protocol },
            new LaneOptions { PublishChannels = publish, SubscribeChannels = subscribe, BusyPoll = busyPoll });

    private static byte[] Number(int number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    private static int Parse(byte[] payload) => int.Parse(payload, CultureInfo.InvariantCulture);

    private static long After(TimeSpan time) =>
        Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
}
