using System.Net;
using System.Text;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using RedisLatency.Reports.Page;

namespace RedisLatency.Hosting.LivePages;

/// <summary>
/// Answers browsers: <c>/</c> is the page, <c>/events</c> tells how it changes. Nothing can be changed by it.
/// </summary>
internal sealed class LivePageRequests(LivePage page, LivePageToken? token) : IHttpApplication<HttpContext>
{
    private static readonly TimeSpan SlowestBrowser = TimeSpan.FromSeconds(10);

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public async Task ProcessRequestAsync(HttpContext context)
    {
        var (request, headers) = (context.Request, context.Response.Headers);
        headers.CacheControl = "no-store";
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers.ContentSecurityPolicy = $"{RunPage.LivePolicy}; frame-ancestors 'none'";
        if (!HttpMethods.IsGet(request.Method))
        {
            headers.Allow = "GET";
            await Say(context, StatusCodes.Status405MethodNotAllowed, "Only GET is answered.\n").ConfigureAwait(false);
        }
        else if (token is null && !IsThisMachine(request.Host.Host))
        {
            await Say(context, StatusCodes.Status403Forbidden, "Only localhost and addresses are answered.\n")
                .ConfigureAwait(false);
        }
        else if (token?.IsIn(request.Headers.Authorization) == false)
        {
            headers.WWWAuthenticate = "Basic realm=\"live page\", charset=\"UTF-8\"";
            await Say(context, StatusCodes.Status401Unauthorized, "The token is needed, as a password.\n")
                .ConfigureAwait(false);
        }
        else
        {
            await Answer(context).ConfigureAwait(false);
        }
    }

    public void DisposeContext(HttpContext context, Exception? exception)
    {
        // There is nothing to give back.
    }

    private Task Answer(HttpContext context) => context.Request.Path.Value switch
    {
        "/" => Document(context),
        "/events" => Events(context),
        _ => Say(context, StatusCodes.Status404NotFound, "Here are / and /events.\n"),
    };

    private async Task Document(HttpContext context)
    {
        using var look = page.Look();
        var shown = await page.After(null, context.RequestAborted).ConfigureAwait(false);
        context.Response.ContentType = "text/html; charset=utf-8";
        await Write(context, shown.Document).ConfigureAwait(false);
    }

    private async Task Events(HttpContext context)
    {
        using var look = page.Look();
        context.Response.ContentType = "text/event-stream";
        for (ShownPage? shown = null; shown?.IsLast != true;)
        {
            shown = await page.After(shown, context.RequestAborted).ConfigureAwait(false);
            await Write(context, shown.Event).ConfigureAwait(false);
        }
    }

    // Who does not take it is dropped: what waits for one would pile up.
    private static async Task Write(HttpContext context, byte[] bytes)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted);
        limit.CancelAfter(SlowestBrowser);
        try
        {
            await context.Response.Body.WriteAsync(bytes, limit.Token).ConfigureAwait(false);
            await context.Response.Body.FlushAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            context.Abort();
            throw;
        }
    }

    private static Task Say(HttpContext context, int status, string text)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = "text/plain; charset=utf-8";
        var body = Encoding.UTF8.GetBytes(text);
        context.Response.ContentLength = body.Length;
        return context.Response.Body.WriteAsync(body, 0, body.Length, context.RequestAborted);
    }

    // A name that leads here by somebody's DNS is a page of theirs that wants to read this one.
    private static bool IsThisMachine(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || IPAddress.TryParse(host.Trim('[', ']'), out _);
}
