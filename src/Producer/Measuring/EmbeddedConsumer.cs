using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer.Measuring;

/// <summary>A consumer in this process: the other half of a run that needs nothing else.</summary>
internal sealed class EmbeddedConsumer : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<StreamEcho> _echoes = [];
    private readonly List<Thread> _threads = [];

    /// <summary>Starts it, one thread for each stream; it answers when this returns.</summary>
    public EmbeddedConsumer(ResolvedTarget target, ProducerPlan plan)
    {
        var self = new HelloContent(
            plan.Run, "consumer", "embedded", plan.Region ?? string.Empty, RunNames.SuiteVersion)
        {
            Clock = ClockIdentity.Read(),
            IsSynthetic = MonotonicClock.IsSynthetic ? true : null,
        };
        var instance = RunIdentity.NewProcess();
        for (var stream = 0; stream < plan.Streams; stream++)
        {
            var lane = new LaneOptions
            {
                SubscribeChannels = [RunNames.ChannelOf(plan.Channel, stream)],
                PublishChannels = [RunNames.ChannelOf(plan.ReplyChannel, stream)],
                ClientName = "redislatency-consumer",
            };
            var options = new EchoOptions { Instance = instance, Self = self };
            var echo = new StreamEcho(options, () => target.OpenLane(lane));
            echo.Connect();
            _echoes.Add(echo);
            var thread = new Thread(() => MeasuringThreads.Run(() => echo.Run(_stop.Token)))
            {
                Name = string.Create(CultureInfo.InvariantCulture, $"{StreamEcho.ThreadNames}-{stream}"),
                IsBackground = true,
            };
            _threads.Add(thread);
            thread.Start();
        }
    }

    public void Dispose()
    {
        _stop.Cancel();
        _threads.ForEach(thread => thread.Join());
        _echoes.ForEach(echo => echo.Dispose());
        _stop.Dispose();
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
