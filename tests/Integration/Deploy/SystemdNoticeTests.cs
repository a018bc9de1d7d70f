using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Integration.Deploy;

/// <summary>What each service says to systemd, by the socket that it is given, with the samples of the unit.</summary>
public sealed class SystemdNoticeTests : PairTest
{
    private const string Ready = "READY=1";
    private const string Alive = "WATCHDOG=1";
    private const string Stopping = "STOPPING=1";

    private static readonly string[] FirstServer =
        ["REDISLATENCY__Redis__Endpoint", "REDISLATENCY__Delay__Source", "REDISLATENCY__Sync__Source"];

    private static readonly TimeSpan Watchdog = TimeSpan.FromMilliseconds(400);

    private readonly ServiceManagerSocket _manager = new();

    [Fact]
    public async Task Consumer_IsReadyWhenItServes_Alive_AndStopping()
    {
        var consumer = Start("consumer", Watchdog);

        (await _manager.Until(Ready)).ShouldAllBe(word => word == Alive);
        await _manager.Until(Alive);
        // As /healthz says: another start brings no server back.
        await Server.Kill();
        await consumer.Errors.WaitFor("connection was lost");
        for (var i = 0; i < 5; i++)
            (await _manager.Next()).ShouldBe(Alive);
        consumer.Signal("TERM");

        (await _manager.Until(Stopping)).ShouldAllBe(word => word == Alive);
        (await consumer.End()).ShouldBeOneOf([5, 143], consumer.ToString());
    }

    [Fact]
    public async Task Delay_IsReady_OnceItsServersAnswer()
    {
        var replica = Own(await RedisServerProcess.Start(
            "redis-server", "--replicaof", "127.0.0.1", Server.Port.ToString(CultureInfo.InvariantCulture)));

        var delay = Start("delay", null, $"REDISLATENCY__Delay__Destination__0={replica.Uri}");

        // No watchdog, no sign of life.
        (await _manager.Until(Ready)).ShouldBeEmpty();
        delay.Signal("TERM");
        (await _manager.Until(Stopping)).ShouldBeEmpty();
        (await delay.End()).ShouldBe(143, delay.ToString());
    }

    [Fact]
    public async Task Sync_IsReady_OnceTheDataSetIsThere()
    {
        Ask(Server, "SET", "key", "value");
        var target = await StartServer();

        var sync = Start("sync", null, $"REDISLATENCY__Sync__Destination={target.Uri}");

        (await _manager.Until(Ready)).ShouldBeEmpty();
        Ask(target, "GET", "key").ShouldBe("value");
        sync.Signal("TERM");
        (await _manager.Until(Stopping)).ShouldBeEmpty();
        (await sync.End()).ShouldBe(143, sync.ToString());
    }

    [Fact]
    public async Task Producer_ThatWaitsForItsConsumer_IsAliveAndNotReady()
    {
        var producer = Own(ServiceProcess.Start(
            "Producer", _manager.Environment(Watchdog), "--redis", Server.Uri, "--consumer", "required",
            "--duration", "1s", "--rate", "100"));
        for (var i = 0; i < 5; i++)
            (await _manager.Next()).ShouldBe(Alive);

        await StartConsumer();

        (await _manager.Until(Ready)).ShouldAllBe(word => word == Alive);
        (await _manager.Until(Stopping)).ShouldAllBe(word => word == Alive);
    }

    private static string Ask(RedisServerProcess server, params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    // The command and settings of the sample, with servers of the test.
    private ServiceProcess Start(string instance, TimeSpan? watchdog, params string[] settings)
    {
        var sample = UnitSample.Read(instance);
        var environment = new Dictionary<string, string>(_manager.Environment(watchdog));
        // Files of systemd are not here.
        foreach (var (name, value) in sample.Settings.Where(one => !one.Value.StartsWith('/')))
            environment[name] = value;
        foreach (var setting in settings.Select(setting => setting.Split('=', 2)))
            environment[setting[0]] = setting[1];
        foreach (var name in FirstServer.Where(environment.ContainsKey))
            environment[name] = Server.Uri;
        environment["REDISLATENCY__Telemetry__Metrics"] = "http://127.0.0.1:0";
        return Own(ServiceProcess.StartShell($"exec \"$PROGRAM\" {sample.Command} --live none", environment));
    }
}
