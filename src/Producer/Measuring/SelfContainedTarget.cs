using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Producer.Measuring;

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
