using System.Net;

namespace RedisLatency.Fixtures;

/// <summary>
/// Stands in for a collector of OpenTelemetry: takes what is pushed over HTTP, as opentelemetry-proto 1.x has it
/// (collector/metrics/v1), and keeps the newest push of each instance.
/// </summary>
public sealed class OtlpCollector : IAsyncDisposable
{
    private readonly HttpListener _listener = new();
    private readonly Lock _gate = new();
    private readonly List<OtlpMetrics> _pushes = [];
    private readonly Task _serving;

    public OtlpCollector()
    {
        Address = $"http://127.0.0.1:{FreePort.Next()}";
        _listener.Prefixes.Add(Address + "/");
        _listener.Start();
        _serving = Task.Run(Serve);
    }

    /// <summary>What <c>--otlp</c> is given.</summary>
    public string Address { get; }

    /// <summary>What it answers; 200 unless it was told otherwise.</summary>
    public HttpStatusCode Status { get; set; } = HttpStatusCode.OK;

    /// <summary>All that was pushed, in its order.</summary>
    public IReadOnlyList<OtlpMetrics> Pushes
    {
        get
        {
            lock (_gate)
                return [.. _pushes];
        }
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Close();
        await _serving;
    }

    private async Task Serve()
    {
        while (true)
        {
            HttpListenerContext asked;
            try
            {
                asked = await _listener.GetContextAsync();
            }
            catch (Exception failure) when (failure is HttpListenerException or ObjectDisposedException)
            {
                return;
            }

            using var body = new MemoryStream();
            await asked.Request.InputStream.CopyToAsync(body);
            var headers = asked.Request.Headers.AllKeys.OfType<string>()
                .ToDictionary(name => name, name => asked.Request.Headers[name]!, StringComparer.OrdinalIgnoreCase);
            lock (_gate)
                _pushes.Add(OtlpMetrics.Read(asked.Request.Url!.AbsolutePath, headers, body.ToArray()));
            asked.Response.StatusCode = (int)Status;
            asked.Response.Close();
        }
    }
}
