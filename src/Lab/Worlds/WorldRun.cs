using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Lab.Links;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Records;
using RedisLatency.Server;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Worlds;

/// <summary>Runs a world once: starts what it consists of, lets the Producer measure, gathers the reports.</summary>
/// <param name="world">The world.</param>
/// <param name="surroundings">What all worlds share.</param>
/// <param name="lead">How long after the Consumer's start the run is expected to begin.</param>
internal sealed class WorldRun(World world, WorldSurroundings surroundings, TimeSpan lead) : IDisposable
{
    /// <summary>What a machine with nothing else to do needs several times over.</summary>
    public static readonly TimeSpan FirstLead = TimeSpan.FromSeconds(8);

    private const string ClockLogName = "clock.ndjson";

    // Far longer than it takes on a busy machine: against hangs.
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan SlowMachine = TimeSpan.FromSeconds(90);

    private readonly List<IDisposable> _owned = [];
    private readonly string _run = $"selftest-{world.Name}";
    private LinkTotals? _linkTotals;
    private LinkTotals? _probeTotals;

    public Observation Live(CancellationToken stop)
    {
        var folder = Path.Combine(surroundings.Folder, world.Name);
        Directory.CreateDirectory(folder);
        var server = Own(new WorldServer(surroundings.Redis is { } given
            ? RedisLatency.Redis.Endpoints.RedisEndpoint.Parse(given)
            : null));
        var probePort = world.ProbeLink is null ? 0 : FreeUdpPort();
        var (planted, consumer) = world.Hold is not null
            ? (new PlantedSetting(world, MonotonicClock.NowNs()), null)
            : StartConsumerInTime(server, probePort, folder, stop);
        if (consumer is null)
            Own(new HoldingConsumer(server.Endpoint, _run, world.Hold!.Value));
        var link = StartLink(world.Link, LinkRoute.Tcp(server.Address), ref _linkTotals);
        var probeLink = world.ProbeLink is null
            ? null
            : StartLink(
                world.ProbeLink, LinkRoute.Udp(new IPEndPoint(IPAddress.Loopback, probePort)), ref _probeTotals);
        if (world.Faults is { } faults && server.Faults is { } script)
            faults(script, RunNames.Ping(_run), RunNames.Pong(_run));
        var length = LengthFrom(planted);
        var producer = StartProducer(link?.EntryOf() ?? server.Address, planted, length, probeLink, folder);
        var exitCode = producer.WaitForEnd(length + SlowMachine, stop);
        consumer?.AskToEnd();
        consumer?.WaitForEnd(StartLimit, stop);
        link?.Dispose();
        probeLink?.Dispose();
        return Gather(planted, folder, producer, exitCode);
    }

    public void Dispose()
    {
        for (var index = _owned.Count - 1; index >= 0; index--)
            _owned[index].Dispose();
    }

    private Observation Gather(PlantedSetting planted, string folder, ServiceChild producer, int exitCode)
    {
        var results = Directory.Exists(Path.Combine(folder, "producer"))
            ? Directory.GetDirectories(Path.Combine(folder, "producer")).SingleOrDefault()
            : null;
        if (results is null)
            throw new WorldFailedException(
                $"the Producer ended with {exitCode} and no results: {producer.LastWords()}");
        try
        {
            var record = RunRecordReader.Read(results);
            if (record.Summaries.Count == 0 || record.Summaries[0].OneWay.Count == 0)
                throw new WorldFailedException($"the Producer reported no one-way latency: {producer.LastWords()}");
            var stamps = Path.Combine(results, StampsFile.Name);
            var windows = ClockLogReader.Read(Path.Combine(results, ClockLogName));
            if (world.HasChanges && windows is [var first, ..] && first.StartNs > planted.Clocks.ProducerAt(
                planted.StartNs + (long)(world.Length.TotalNanoseconds * World.EarliestChange)))
            {
                Directory.Delete(results, recursive: true);
                throw new WorldBegunLateException(lead);
            }

            return new Observation
            {
                World = world,
                Clocks = planted.Clocks,
                Record = record,
                Windows = windows,
                Messages = File.Exists(stamps) ? StampsReader.Read(stamps) : [],
                Link = _linkTotals,
                ProbeLink = _probeTotals,
            };
        }
        catch (Exception failure) when (failure is IOException or InvalidDataException or RunRecordException)
        {
            throw new WorldFailedException($"what the Producer left behind: {failure.Message}", failure);
        }
    }

    // What happens to clocks is planted before the processes are there that shall live it. A machine on which they take
    // longer is given the time that it takes.
    private (PlantedSetting Planted, ServiceChild? Consumer) StartConsumerInTime(
        WorldServer server, int probePort, string folder, CancellationToken stop)
    {
        while (true)
        {
            var startedNs = MonotonicClock.NowNs();
            var planted = new PlantedSetting(world, startedNs + (world.HasChanges ? lead.InNanoseconds : 0));
            var consumer = StartConsumer(server, planted, probePort, folder, stop);
            var tookNs = MonotonicClock.NowNs() - startedNs;
            // The Producer takes as long again or, on a machine that gets busier meanwhile, twice as long.
            if (tookNs * 3 < lead.TotalNanoseconds || !world.HasChanges)
                return (planted, consumer);
            consumer.AskToEnd();
            consumer.WaitForEnd(StartLimit, stop);
            lead *= 3;
        }
    }

    private ServiceChild StartConsumer(
        WorldServer server, PlantedSetting planted, int probePort, string folder, CancellationToken stop)
    {
        string[] arguments =
        [
            "--redis", WorldServer.TextOf(server.Address),
            "--run", _run,
            "--live", "none",
            "--out", Path.Combine(folder, "consumer"),
            .. probePort == 0 ? [] : new[] { "--probe", UdpText(probePort) },
        ];
        var command = surroundings.Consumer.Command(arguments);
        if (world.NamespaceSeconds > 0)
            command = surroundings.Namespaces.Wrap(world.NamespaceSeconds, command);
        var consumer = Own(ServiceChild.Start(
            command,
            PlantedSetting.EnvironmentOf(planted.ConsumerText),
            folder,
            "Serving ",
            isWrapped: world.NamespaceSeconds > 0));
        try
        {
            consumer.WaitUntilReady(StartLimit, stop);
        }
        catch (WorldFailedException failure)
        {
            throw new WorldFailedException($"the Consumer: {failure.Message}", failure);
        }

        return consumer;
    }

    private ServiceChild StartProducer(
        IPEndPoint redis, PlantedSetting planted, TimeSpan length, WanLink? probeLink, string folder)
    {
        string[] arguments =
        [
            "--redis", WorldServer.TextOf(redis),
            "--run", _run,
            "--rate", world.Rate.ToString(CultureInfo.InvariantCulture),
            "--warmup", "500ms",
            "--duration", Seconds(length),
            "--claims", world.UsesClaims ? "auto" : "none",
            "--live", "none",
            "--consumer", "required",
            "--stamps",
            "--out", Path.Combine(folder, "producer"),
            .. probeLink is null ? [] : new[] { "--probe", UdpText(probeLink.PortOf()) },
            .. world.HasEcho ? [] : new[] { "--echo", "off" },
            .. world.ProducerOptions,
        ];
        return Own(ServiceChild.Start(
            surroundings.Producer.Command(arguments),
            PlantedSetting.EnvironmentOf(planted.ProducerText),
            folder,
            "RESULT ",
            isWrapped: false));
    }

    // To the end of what is planted.
    private TimeSpan LengthFrom(PlantedSetting planted)
    {
        var untilStart = TimeSpan.FromMicroseconds((planted.StartNs - MonotonicClock.NowNs()) / 1000.0);
        return untilStart > TimeSpan.Zero ? world.Length + untilStart : world.Length;
    }

    private WanLink? StartLink(LinkProfile? profile, LinkRoute route, ref LinkTotals? totals)
    {
        if (profile is null)
            return null;
        totals = new LinkTotals(next: null);
        return Own(WanLink.Start(new WanLinkOptions
        {
            Routes = [route],
            Profile = profile,
            Witness = totals,
            ThreadStarted = Pacer.WakePrecisely,
        }));
    }

    private static int FreeUdpPort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    private static string UdpText(int port) => string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{port}");

    private static string Seconds(TimeSpan length) =>
        string.Create(CultureInfo.InvariantCulture, $"{length.TotalSeconds:0.###}s");

    private T Own<T>(T disposable)
        where T : IDisposable
    {
        _owned.Add(disposable);
        return disposable;
    }
}

/// <summary>The run began after what was planted in it: the machine takes longer than its lead.</summary>
internal sealed class WorldBegunLateException(TimeSpan lead)
    : WorldFailedException("the machine is too busy: the run began after what was planted in it")
{
    public TimeSpan Lead { get; } = lead;
}

/// <summary>What all worlds share; Redis is <c>host:port</c>, or null for one of the Lab's own in each world.</summary>
internal sealed record WorldSurroundings(
    ServiceProgram Producer, ServiceProgram Consumer, TimeNamespace Namespaces, string? Redis, string Folder);

/// <summary>The Redis of a world: one of its own in this process, or one that was given.</summary>
internal sealed class WorldServer : IDisposable
{
    private readonly InProcessServer? _own;

    public WorldServer(RedisEndpoint? given)
    {
        _own = given is null ? InProcessServer.Start() : null;
        Endpoint = given ?? RedisEndpoint.Parse(_own!.Endpoint);
    }

    public RedisEndpoint Endpoint { get; }

    /// <summary>What it shall do wrong; null where it is not ours.</summary>
    public FaultScript? Faults => _own?.Faults;

    public IPEndPoint Address =>
        new(
            IPAddress.TryParse(Endpoint.Host, out var address) ? address : Dns.GetHostAddresses(Endpoint.Host)[0],
            Endpoint.Port);

    public static string TextOf(IPEndPoint endpoint) =>
        string.Create(CultureInfo.InvariantCulture, $"redis://{endpoint}");

    public void Dispose() => _own?.Dispose();
}

/// <summary>A consumer on a thread of the Lab that keeps every message for a known time before it answers.</summary>
internal sealed class HoldingConsumer : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly StreamEcho _echo;
    private readonly Thread _thread;

    /// <summary>Starts it; it answers when this returns.</summary>
    public HoldingConsumer(RedisEndpoint endpoint, string run, TimeSpan hold)
    {
        var lane = new LaneOptions
        {
            SubscribeChannels = [RunNames.Ping(run)],
            PublishChannels = [RunNames.Pong(run)],
            ClientName = "redislatency-lab",
        };
        var self = Announcement.OfThis(run, "consumer", "holding", region: null).WithClock(probe: null);
        _echo = new StreamEcho(
            new EchoOptions { Instance = RunIdentity.NewProcess(), Self = self },
            () => new HoldingLane(RawLane.Open(endpoint, new RedisConnectionOptions(), lane), hold));
        _echo.Connect();
        _thread = new Thread(() => _echo.Run(_stop.Token)) { IsBackground = true, Name = "holding consumer" };
        _thread.Start();
    }

    public void Dispose()
    {
        _stop.Cancel();
        _thread.Join();
        _echo.Dispose();
        _stop.Dispose();
    }
}

/// <summary>A lane whose owner gets each message only after a time: so much longer does he keep it.</summary>
internal sealed class HoldingLane(IPubSubLane lane, TimeSpan hold) : IPubSubLane
{
    public LaneDescription Description => lane.Description;

    public void Publish(int channel, ReadOnlySpan<byte> payload) => lane.Publish(channel, payload);

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        if (!lane.TryReceive(untilTimestamp, out message))
            return false;
        Pacer.WaitUntil(MonotonicClock.FromTimestamp(message.ReceivedTimestamp) + hold.InNanoseconds);
        return true;
    }

    public void DrainReplies() => lane.DrainReplies();

    public void Ask() => lane.Ask();

    public long? UnansweredSince => lane.UnansweredSince;

    public void Dispose() => lane.Dispose();
}
