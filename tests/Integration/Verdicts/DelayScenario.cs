using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Integration.Verdicts;

/// <summary>A primary, what replicates from it, and those who measure how long that takes.</summary>
internal sealed class DelayScenario(string name) : MatrixScenario
{
    public const string FromSource = "delay, its source";
    public const string ToDestination = "delay, its destination";
    public const string Apart = "delay write, delay read, their source";
    public const string ApartDestination = "delay write, delay read, their destination";
    public const string Heartbeats = "delay --continuous, its destination";
    public const string HeartbeatSource = "delay --continuous, its source";

    public const string Run = "delay";
    public const string Write = "delay write";
    public const string Read = "delay read";
    public const string Heartbeat = "delay --continuous";

    // Most of them are in no percentile that is asked for, and none is the last.
    private const int LostEvery = 200;

    private readonly CancellationTokenSource _stop = new();
    private Task _copying = Task.CompletedTask;

    public override async Task Start(MatrixFault fault)
    {
        var source = await StartServer();
        var destination = await StartServer();
        if (fault == MatrixFault.Lost)
            _copying = Task.Factory.StartNew(
                () => Copy(source.Uri, destination.Uri), CancellationToken.None, TaskCreationOptions.LongRunning,
                TaskScheduler.Default);
        else
            await Replicate(source, destination);
        Target = name is FromSource or Apart or HeartbeatSource ? source : destination;
        string[] ends = ["--source", source.Uri, "--destination", destination.Uri];
        switch (name)
        {
            case Heartbeats or HeartbeatSource:
                Begin(Heartbeat, [
                    "--continuous", .. ends, "--interval", "5ms", "--window", "1s", "--duration", "4s",
                    "--threshold", "delay.max<1h",
                ]);
                break;
            case Apart or ApartDestination:
                Begin(Read, ["read", .. ends[2..], "--control", source.Uri, .. GivingUp, .. Looking(fault)]);
                Begin(Write, ["write", .. ends[..2], .. Writing, "--threshold", "lateness.max<1h"]);
                break;
            default:
                Begin(Run, [.. ends, .. Writing, "--warmup", "0", .. Looking(fault)]);
                break;
        }

        using var looking = RedisConnection.Open(RedisEndpoint.Parse(destination.Uri), Patience.Connection);
        await Eventually.Is("keys arrive", () => looking.Execute("KEYS", "redislatency:delay:*").Items.Count > KeysBefore);
    }

    public override async Task<IReadOnlyDictionary<string, ServiceProcess>> End()
    {
        foreach (var service in Services.Values)
            await service.End();
        await _stop.CancelAsync();
        await _copying;
        _stop.Dispose();
        return Services;
    }

    public override string ToString() => name;

    // Of heartbeats there is one, which tells nothing but that they have begun.
    private int KeysBefore => name is Heartbeats or HeartbeatSource ? 1 : 100;

    private static string[] Writing =>
        ["--rate", "500", "--duration", "4s", .. GivingUp, "--wait-interval", "0"];

    private static string[] GivingUp => ["--reconnect-timeout", "500ms"];

    // Whoever copies all but the lost ones may stand still for seconds where the machine is busy.
    private static string[] Looking(MatrixFault fault) => fault == MatrixFault.Lost
        ? ["--deadline", "8s", "--threshold", "delay.p90<1h"]
        : ["--deadline", "1500ms", "--threshold", "delay.max<1h"];

    private static async Task Replicate(RedisServerProcess source, RedisServerProcess destination)
    {
        using var there = RedisConnection.Open(RedisEndpoint.Parse(source.Uri), Patience.Connection);
        using var here = RedisConnection.Open(RedisEndpoint.Parse(destination.Uri), Patience.Connection);
        here.Execute("REPLICAOF", "127.0.0.1", source.Port.ToString(System.Globalization.CultureInfo.InvariantCulture));
        there.Execute("SET", "linked", "1");
        await Eventually.Is("the replica is linked", () => here.Execute("EXISTS", "linked").ToString() == "1");
    }

    private void Begin(string role, string[] arguments) => Services[role] = Own(ServiceProcess.Start(
        "Replication",
        ["delay", .. arguments, "--live", "none", "--connect-timeout", "3s", "--command-timeout", "3s"]));

    // Values have the number of their key or heartbeat.
    private void Copy(string from, string to)
    {
        using var source = RedisConnection.Open(RedisEndpoint.Parse(from), Patience.Connection);
        using var destination = RedisConnection.Open(RedisEndpoint.Parse(to), Patience.Connection);
        var copied = new Dictionary<string, string>(StringComparer.Ordinal);
        while (!_stop.Token.WaitHandle.WaitOne(TimeSpan.FromMilliseconds(1)))
        {
            string[] keys = [.. source.Request(RespLimits.List, "KEYS", "redislatency:delay:*").Items.Select(key => key.Text)
                .Where(key => IsRewritten(key) || !copied.ContainsKey(key))];
            if (keys.Length == 0)
                continue;
            foreach (var (key, value) in keys.Zip(source.Request(RespLimits.List, ["MGET", .. keys]).Items.Select(value => value.Text)))
            {
                if (copied.GetValueOrDefault(key) == value)
                    continue;
                copied[key] = value;
                if (value.Split(' ') is not ["rl1", _, var number, ..] || key.EndsWith("first", StringComparison.Ordinal)
                    || Convert.ToInt64(number, 16) % LostEvery != LostEvery / 2)
                {
                    destination.Execute("SET", key, value);
                }
            }
        }
    }

    private static bool IsRewritten(string key) =>
        key.Contains(":heartbeat:", StringComparison.Ordinal) || key.EndsWith("announced", StringComparison.Ordinal);
}
