using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer.Measuring;

/// <summary>
/// A consumer in this process: the other half of a run that needs nothing else, or what answers other processes.
/// </summary>
internal sealed class EmbeddedConsumer : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<StreamEcho> _echoes = [];
    private readonly List<SessionThread> _threads = [];

    /// <summary>What it says that it does.</summary>
    public const string Role = FleetCatalogue.Consumer;

    /// <summary>What results call it.</summary>
    public const string Name = TargetOptions.InProcess;

    /// <summary>Starts one that answers this process alone.</summary>
    public EmbeddedConsumer(ResolvedTarget target, ProducerPlan plan)
        : this(target, plan, new EchoOptions
        {
            Instance = RunIdentity.NewProcess(),
            Self = Announcement.OfThis(plan.Run, Role, Name, plan.Region).WithClock(probe: null),
            Producer = plan.Producer,
        })
    {
    }

    /// <summary>Starts it, one thread for each stream; it answers when this returns.</summary>
    public EmbeddedConsumer(ResolvedTarget target, ProducerPlan plan, EchoOptions options)
    {
        Id = options.Instance;
        for (var stream = 0; stream < plan.Streams; stream++)
        {
            var lane = new LaneOptions
            {
                SubscribeChannels = [RunNames.ChannelOf(plan.Channel, stream)],
                PublishChannels = [RunNames.ChannelOf(plan.ReplyChannel, stream)],
                ClientName = "redislatency-consumer",
            };
            var echo = new StreamEcho(options, () => target.OpenLane(lane));
            echo.Connect();
            _echoes.Add(echo);
            _threads.Add(new SessionThread(
                string.Create(CultureInfo.InvariantCulture, $"{StreamEcho.ThreadNames}-{stream}"),
                () => Serve(echo)));
        }
    }

    /// <summary>How it signs its echoes.</summary>
    public ulong Id { get; }

    /// <summary>Throws what ended it before its time.</summary>
    public void ThrowIfFailed() => _threads.ForEach(thread => thread.ThrowIfFailed());

    public void Dispose()
    {
        _stop.Cancel();
        _threads.ForEach(thread => thread.Join());
        _echoes.ForEach(echo => echo.Dispose());
        _stop.Dispose();
    }

    // What the server refuses for the time being costs an echo, which counts as lost.
    private void Serve(StreamEcho echo)
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                echo.Run(_stop.Token);
            }
            catch (RedisServerException refusal) when (refusal.IsTransient)
            {
            }
        }
    }
}

/// <summary>The in-process server with an in-process consumer: what the tool itself costs.</summary>
internal sealed class SelfContainedTarget : IDisposable
{
    private readonly EmbeddedServer _server;
    private readonly EmbeddedConsumer _consumer;

    public SelfContainedTarget(ProducerPlan plan, DriverKind driver)
    {
        _server = EmbeddedServer.Start();
        try
        {
            Target = new ResolvedTarget(RedisEndpoint.Parse(_server.Endpoint), new RedisConnectionOptions(), driver);
            _consumer = new EmbeddedConsumer(Target, plan);
        }
        catch
        {
            _server.Dispose();
            throw;
        }
    }

    public ResolvedTarget Target { get; }

    public void Dispose()
    {
        _consumer.Dispose();
        _server.Dispose();
    }
}
