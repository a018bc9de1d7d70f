using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>What a Sentinel announces, right or wrong; the servers it names are real.</summary>
public sealed class SentinelWatchTests
{
    [Fact]
    public async Task Announcement_IsBelieved_OnceTheServerSaysSoItself()
    {
        await using var primary = await RedisTest.StartServer();
        await using var other = await RedisTest.StartServer("--replicaof", "127.0.0.1", $"{primary.Port}");
        using var announce = new SemaphoreSlim(0);
        var named = primary.Port;
        var message = $"mymaster 127.0.0.1 {primary.Port} 127.0.0.1 {other.Port}";
        using var sentinel = FakeServer.Start((client, _) =>
        {
            var buffer = new byte[4096];
            while (client.Receive(buffer) is var count and > 0)
            {
                var request = Encoding.ASCII.GetString(buffer, 0, count);
                if (request.Contains("SUBSCRIBE", StringComparison.Ordinal))
                {
                    FakeServer.Say(client, "*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n");
                    Announce(client, "another 127.0.0.1 1 127.0.0.1 2");
                    Announce(client, "mymaster 127.0.0.1");
                    announce.Wait(RedisTest.Cancellation);
                    Announce(client, message);
                }
                else
                {
                    FakeServer.Say(client, request.Contains("SENTINEL", StringComparison.Ordinal)
                        ? FakeSentinel.Naming(Volatile.Read(ref named))
                        : "-ERR unknown command\r\n");
                }
            }
        });
        var port = RedisEndpoint.Parse(sentinel.Uri).Port;
        using var watch = SentinelWatch.Start(
            RedisEndpoint.Parse($"redis+sentinel://127.0.0.1:{port}/mymaster"), checkInterval: TimeSpan.FromSeconds(1));
        var before = watch.Primary;

        announce.Release();
        // Its error stands for no longer than the Sentinel takes to name the primary that was: the server is asked.
        await Eventually.Is("the announced one was asked", () => WasAsked(other));
        watch.Primary.ShouldBeSameAs(before);

        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(other.Uri), Patience.Connection))
            connection.Execute("REPLICAOF", "NO", "ONE");
        // On a machine that stalled for long, the announcement has been given up: then it is found by asking.
        Volatile.Write(ref named, other.Port);
        await primary.Kill();
        await Eventually.Is("another server is the primary", () => watch.Primary != before);
        watch.Primary.Port.ShouldBe(other.Port);
        watch.Switches.ShouldBe(1);

        static bool WasAsked(RedisServerProcess server)
        {
            using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
            return connection.Execute("INFO", "commandstats").Text.Contains("cmdstat_role:", StringComparison.Ordinal);
        }

        static void Announce(System.Net.Sockets.Socket client, string text) => FakeServer.Say(
            client, $"*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n${text.Length}\r\n{text}\r\n");
    }

    [Fact]
    public async Task SentinelThatIsBehind_DoesNotTakeThePrimaryBack()
    {
        await using var primary = await RedisTest.StartServer();
        await using var old = await RedisTest.StartServer();
        using var right = new FakeSentinel(FakeSentinel.Naming(primary.Port));
        using var behind = new FakeSentinel(FakeSentinel.Naming(old.Port));
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://127.0.0.1:{right.Port},127.0.0.1:{behind.Port}/mymaster");
        using var watch = SentinelWatch.Start(endpoint, checkInterval: TimeSpan.Zero);

        await Eventually.Is("the one behind was asked often", () => behind.Asked > 20);

        watch.Switches.ShouldBe(0);
        watch.Primary.Port.ShouldBe(primary.Port);
    }

    [Fact]
    public async Task SentinelWhoseConfigurationIsNewer_IsBelieved_WhileTheOldPrimaryLivesOn()
    {
        await using var old = await RedisTest.StartServer();
        await using var next = await RedisTest.StartServer();
        using var ahead = new FakeSentinel(FakeSentinel.Naming(old.Port)) { Epoch = "0" };
        using var behind = new FakeSentinel(FakeSentinel.Naming(old.Port)) { Epoch = "0" };
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://127.0.0.1:{ahead.Port},127.0.0.1:{behind.Port}/mymaster");
        using var watch = SentinelWatch.Start(endpoint, checkInterval: TimeSpan.Zero);

        ahead.Reply = FakeSentinel.Naming(next.Port);
        ahead.Epoch = "1";
        await Eventually.Is("another server is the primary", () => watch.Primary.Port == next.Port);
        var asked = behind.Asked;
        await Eventually.Is("the one behind was asked often", () => behind.Asked > asked + 20);

        watch.Primary.Port.ShouldBe(next.Port);
        watch.Switches.ShouldBe(1);
        SentinelService.NamePrimary(endpoint).Named.ShouldBe([new HostAndPort("127.0.0.1", next.Port)]);
    }

    [Fact]
    public async Task SentinelThatMayNotBeListenedTo_IsAskedInstead()
    {
        await using var primary = await RedisTest.StartServer();
        await using var next = await RedisTest.StartServer();
        using var sentinel = new FakeSentinel(FakeSentinel.Naming(primary.Port))
        {
            Confirmation = "-NOPERM this user has no permissions to access the '+switch-master' channel\r\n",
        };
        using var watch = SentinelWatch.Start(sentinel.Endpoint);
        var before = watch.Primary;

        await primary.Kill();
        sentinel.Reply = FakeSentinel.Naming(next.Port);

        await Eventually.Is("another server is the primary", () => watch.Primary != before);
        watch.Primary.Port.ShouldBe(next.Port);
    }

    [Fact]
    public void UnknownService_IsSaidAtTheBeginning()
    {
        using var sentinel = new FakeSentinel("$-1\r\n");

        Should.Throw<RedisConnectException>(() => SentinelWatch.Start(sentinel.Endpoint))
            .Reason.ShouldBe(ConnectFailure.ServiceUnknown);
    }
}
