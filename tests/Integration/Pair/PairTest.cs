using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;

namespace RedisLatency.Integration.Pair;

/// <summary>A real server, and the services as processes of their own.</summary>
public abstract class PairTest : IAsyncLifetime
{
    private readonly List<IAsyncDisposable> _started = [];

    /// <summary>The server of the test.</summary>
    protected RedisServerProcess Server { get; private set; } = null!;

    public async ValueTask InitializeAsync() => Server = await StartServer();

    public virtual async ValueTask DisposeAsync()
    {
        for (var i = _started.Count - 1; i >= 0; i--)
            await _started[i].DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts a server, or skips the test where there is none.</summary>
    protected async Task<RedisServerProcess> StartServer() => Own(await RedisServerProcess.Start());

    /// <summary>Starts a Producer against the server.</summary>
    protected ServiceProcess StartProducer(params string[] arguments) =>
        Own(Start("Producer", ["--redis", Server.Uri, .. arguments]));

    /// <summary>Runs a Producer against the server to its end.</summary>
    protected async Task<ServiceProcess> RunProducer(params string[] arguments)
    {
        var producer = StartProducer(arguments);
        await producer.End();
        return producer;
    }

    /// <summary>Runs a Producer against the server to its end and reads what it left behind.</summary>
    internal async Task<SavedRun> Measure(params string[] arguments) => SavedRun.Of(await RunProducer(arguments));

    /// <summary>Starts a Consumer at the server and waits until it serves.</summary>
    protected Task<ServiceProcess> StartConsumer(params string[] arguments) => StartConsumerAt(Server, arguments);

    /// <summary>Starts a Consumer at a server and waits until it serves.</summary>
    protected async Task<ServiceProcess> StartConsumerAt(RedisServerProcess server, params string[] arguments)
    {
        var consumer = Own(Start("Consumer", ["--redis", server.Uri, .. arguments]));
        await consumer.Errors.WaitFor("Serving");
        return consumer;
    }

    /// <summary>Starts a service.</summary>
    protected virtual ServiceProcess Start(string project, params string[] arguments) =>
        ServiceProcess.Start(project, arguments);

    /// <summary>Ends something with the test.</summary>
    protected T Own<T>(T started)
        where T : IAsyncDisposable
    {
        _started.Add(started);
        return started;
    }
}
