using System.Net;
using System.Text;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using RedisLatency.Hosting.Http;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Serves <c>/metrics</c>, <c>/healthz</c> and <c>/readyz</c> where it is told to, and nowhere else.
/// </summary>
public sealed class MetricsEndpoint : IDisposable
{
    private readonly HttpEndpoint _endpoint;

    private MetricsEndpoint(HttpEndpoint endpoint, bool isOpenToAll) =>
        (_endpoint, IsOpenToAll) = (endpoint, isOpenToAll);

    /// <summary>Where it listens: <c>http://127.0.0.1:9121</c>.</summary>
    public string Address => _endpoint.Address;

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
        var pages = new MetricsPages(metrics, illness, idleness, status ?? (() => null));
        return new MetricsEndpoint(
            HttpEndpoint.Start(place, $"--metrics {address}", pages),
            place.Address.Equals(IPAddress.Any) || place.Address.Equals(IPAddress.IPv6Any));
    }

    public void Dispose() => _endpoint.Dispose();
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
