using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Serves <c>/metrics</c>, <c>/healthz</c> and <c>/readyz</c> where it is told to, and nowhere else. Kestrel alone,
/// without a host of its own: signals stay the run's, and nothing is logged.
/// </summary>
public sealed class MetricsEndpoint : IDisposable
{
    private const int MostConnections = 256;

    // Who connects and asks nothing, or half a question, must not keep others out.
    private static readonly TimeSpan QuestionLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan IdleLimit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;

    private MetricsEndpoint(KestrelServer server, string address, bool isOpenToAll) =>
        (_server, Address, IsOpenToAll) = (server, address, isOpenToAll);

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
        var options = new KestrelServerOptions { AddServerHeader = false };
        options.Limits.RequestHeadersTimeout = QuestionLimit;
        options.Limits.KeepAliveTimeout = IdleLimit;
        options.Limits.MaxRequestBodySize = 0;
        options.Listen(place, listening => listening.Use(new CrowdedConnections(MostConnections).Before));
        var transport = new SocketTransportFactory(
            Microsoft.Extensions.Options.Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        var server = new KestrelServer(
            Microsoft.Extensions.Options.Options.Create(options), transport, NullLoggerFactory.Instance);
        try
        {
            var pages = new MetricsPages(metrics, illness, idleness, status ?? (() => null));
            server.StartAsync(pages, CancellationToken.None).GetAwaiter().GetResult();
            var isOpenToAll = place.Address.Equals(IPAddress.Any) || place.Address.Equals(IPAddress.IPv6Any);
            var served = server.Features.Get<IServerAddressesFeature>()!.Addresses.First();
            return new MetricsEndpoint(server, served, isOpenToAll);
        }
        catch (Exception failure) when (failure is IOException or SocketException)
        {
            server.Dispose();
            var isTaken = failure is AddressInUseException || failure.InnerException is AddressInUseException;
            var reason = isTaken ? "the address is in use" : failure.Message;
            throw new RunRefusedException($"--metrics {address}: cannot listen there: {reason}", failure);
        }
    }

    public void Dispose()
    {
        using var limit = new CancellationTokenSource(EndLimit);
        _server.StopAsync(limit.Token).GetAwaiter().GetResult();
        _server.Dispose();
    }
}

/// <summary>
/// Limits the connections to the endpoint: where as many are open as may be, the oldest is closed for a new one. Turned
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

/// <summary>The pages of a <see cref="MetricsEndpoint"/>; anything else is not found.</summary>
/// <remarks>A service may have a page of its own beside, in JSON; while it has none, its place is empty.</remarks>
internal sealed class MetricsPages(
    Func<string> metrics, Func<string?> illness, Func<string?> idleness, Func<string?> status)
    : IHttpApplication<HttpContext>
{
    private const string Metrics = "text/plain; version=0.0.4; charset=utf-8";
    private const string Json = "application/json";
    private const string PlainText = "text/plain; charset=utf-8";

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public Task ProcessRequestAsync(HttpContext context)
    {
        var (status, type, text) = Page(context.Request);
        context.Response.StatusCode = status;
        context.Response.ContentType = type;
        context.Response.Headers.CacheControl = "no-store";
        if (status == StatusCodes.Status405MethodNotAllowed)
            context.Response.Headers.Allow = "GET, HEAD";
        var body = Encoding.UTF8.GetBytes(text);
        context.Response.ContentLength = body.Length;
        return HttpMethods.IsHead(context.Request.Method)
            ? Task.CompletedTask
            : context.Response.Body.WriteAsync(body, 0, body.Length, context.RequestAborted);
    }

    public void DisposeContext(HttpContext context, Exception? exception)
    {
        // There is nothing to give back.
    }

    private (int Status, string Type, string Text) Page(HttpRequest request)
    {
        if (!HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method))
            return (StatusCodes.Status405MethodNotAllowed, PlainText, "Only GET is answered.\n");
        return request.Path.Value switch
        {
            "/metrics" => (StatusCodes.Status200OK, Metrics, metrics()),
            "/healthz" => Answer(illness()),
            "/readyz" => Answer(idleness()),
            "/" or "/status" when status() is { } page => (StatusCodes.Status200OK, Json, page),
            _ => (StatusCodes.Status404NotFound, PlainText, "Here are /metrics, /healthz and /readyz.\n"),
        };
    }

    private static (int Status, string Type, string Text) Answer(string? reason) => reason is null
        ? (StatusCodes.Status200OK, PlainText, "ok\n")
        : (StatusCodes.Status503ServiceUnavailable, PlainText, reason + "\n");
}
