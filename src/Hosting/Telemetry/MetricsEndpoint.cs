using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Serves <c>/metrics</c>, <c>/healthz</c> and <c>/readyz</c> where it is told to, and nowhere else.</summary>
public sealed class MetricsEndpoint : IDisposable
{
    private const int MostConnections = 256;
    private const string Metrics = "text/plain; version=0.0.4; charset=utf-8";
    private const string Json = "application/json";
    private const string PlainText = "text/plain; charset=utf-8";

    // Who connects and asks nothing, or half a question, must not keep others out.
    private static readonly TimeSpan QuestionLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan IdleLimit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1);

    private readonly WebApplication _server;

    private MetricsEndpoint(WebApplication server, bool isOpenToAll) =>
        (_server, Address, IsOpenToAll) = (server, server.Urls.First(), isOpenToAll);

    /// <summary>Where it listens: <c>http://127.0.0.1:9121</c>.</summary>
    public string Address { get; }

    /// <summary>Whether every address of this machine is listened on, so that whoever reaches it may read.</summary>
    public bool IsOpenToAll { get; }

    /// <summary>Begins to serve; the pages are asked for on any thread.</summary>
    /// <exception cref="RunRefusedException">It cannot listen there.</exception>
    public static MetricsEndpoint Start(
        string address,
        Func<string> metrics,
        Func<string?> illness,
        Func<string?> idleness,
        Func<string?>? status = null)
    {
        var place = MetricsAddress.Parse(address)
            ?? throw new ArgumentException(MetricsAddress.Problem(address), nameof(address));
        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.Services.AddRoutingCore().AddSingleton<IHostLifetime, SignalsOfTheRun>();
        builder.WebHost.UseKestrelCore().ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            options.Limits.RequestHeadersTimeout = QuestionLimit;
            options.Limits.KeepAliveTimeout = IdleLimit;
            options.Limits.MaxRequestBodySize = 0;
            options.Listen(place, listening => listening.Use(new CrowdedConnections(MostConnections).Before));
        });
        var server = builder.Build();
        server.UseRouting();
        Map(server, "/metrics", () => (StatusCodes.Status200OK, Metrics, metrics()));
        Map(server, "/healthz", () => Health(illness()));
        Map(server, "/readyz", () => Health(idleness()));
        // A service may have a page of its own beside; while it has none, its place is empty.
        foreach (var path in new[] { "/", "/status" })
            Map(server, path, () => status?.Invoke() is { } page ? (StatusCodes.Status200OK, Json, page) : Nothing());
        server.UseEndpoints(_ => { });
        server.Run(context => Answer(context, Nothing()));
        try
        {
            server.StartAsync().GetAwaiter().GetResult();
            var isOpenToAll = place.Address.Equals(IPAddress.Any) || place.Address.Equals(IPAddress.IPv6Any);
            return new MetricsEndpoint(server, isOpenToAll);
        }
        catch (Exception failure) when (failure is IOException or SocketException)
        {
            server.DisposeAsync().AsTask().GetAwaiter().GetResult();
            var isTaken = failure is AddressInUseException || failure.InnerException is AddressInUseException;
            var reason = isTaken ? "the address is in use" : failure.Message;
            throw new RunRefusedException($"--metrics {address}: cannot listen there: {reason}", failure);
        }
    }

    public void Dispose()
    {
        using var limit = new CancellationTokenSource(EndLimit);
        _server.StopAsync(limit.Token).GetAwaiter().GetResult();
        _server.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private static void Map(WebApplication server, string path, Func<(int Status, string Type, string Text)> page) =>
        server.MapMethods(path, [HttpMethods.Get, HttpMethods.Head], context => Answer(context, page()));

    private static (int Status, string Type, string Text) Health(string? reason) => reason is null
        ? (StatusCodes.Status200OK, PlainText, "ok\n")
        : (StatusCodes.Status503ServiceUnavailable, PlainText, reason + "\n");

    private static (int Status, string Type, string Text) Nothing() =>
        (StatusCodes.Status404NotFound, PlainText, "Here are /metrics, /healthz and /readyz.\n");

    private static Task Answer(HttpContext context, (int Status, string Type, string Text) page)
    {
        context.Response.StatusCode = page.Status;
        context.Response.ContentType = page.Type;
        context.Response.Headers.CacheControl = "no-store";
        context.Response.ContentLength = Encoding.UTF8.GetByteCount(page.Text);
        return context.Response.WriteAsync(page.Text, context.RequestAborted);
    }
}

/// <summary>Signals end the run, which ends the server.</summary>
internal sealed class SignalsOfTheRun : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>
/// Makes room for who connects: where as many are connected as may be, the one that came first has to leave. Turned
/// away would be who asks, while those who are silent stay. Thread safe.
/// </summary>
internal sealed class CrowdedConnections(int most)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<ConnectionContext> _connected = [];

    public ConnectionDelegate Before(ConnectionDelegate next) => async connection =>
    {
        var place = Enter(connection, out var first);
        first?.Abort();
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            Leave(place);
        }
    };

    private LinkedListNode<ConnectionContext> Enter(ConnectionContext connection, out ConnectionContext? first)
    {
        lock (_gate)
        {
            first = _connected.Count < most ? null : _connected.First!.Value;
            if (first is not null)
                _connected.RemoveFirst();
            return _connected.AddLast(connection);
        }
    }

    private void Leave(LinkedListNode<ConnectionContext> place)
    {
        lock (_gate)
        {
            // Who had to leave is not there any more.
            if (place.List is not null)
                _connected.Remove(place);
        }
    }
}
