using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Http;

/// <summary>
/// Answers HTTP at one address. Kestrel alone, without a host of its own: signals stay the run's, and nothing is
/// logged.
/// </summary>
internal sealed class HttpEndpoint : IDisposable
{
    private const int MostConnections = 256;

    // Who connects and asks nothing, or half a question, must not keep others out.
    private static readonly TimeSpan QuestionLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan IdleLimit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;

    private HttpEndpoint(KestrelServer server, string address) => (_server, Address) = (server, address);

    /// <summary>Where it listens: <c>http://127.0.0.1:9121</c>.</summary>
    public string Address { get; }

    /// <summary>Begins to listen; port 0 is any that is free.</summary>
    /// <param name="place">An address of this machine.</param>
    /// <param name="option">What asked for it, for the message.</param>
    /// <param name="pages">What answers, on any thread.</param>
    /// <exception cref="RunRefusedException">It cannot listen there.</exception>
    public static HttpEndpoint Start(IPEndPoint place, string option, IHttpApplication<HttpContext> pages)
    {
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
            server.StartAsync(pages, CancellationToken.None).GetAwaiter().GetResult();
            return new HttpEndpoint(server, server.Features.Get<IServerAddressesFeature>()!.Addresses.First());
        }
        catch (Exception failure) when (failure is IOException or SocketException)
        {
            server.Dispose();
            var isTaken = failure is AddressInUseException || failure.InnerException is AddressInUseException;
            var reason = isTaken ? "the address is in use" : failure.Message;
            throw new RunRefusedException($"{option}: cannot listen there: {reason}", failure);
        }
    }

    public void Dispose()
    {
        using var limit = new CancellationTokenSource(EndLimit);
        _server.StopAsync(limit.Token).GetAwaiter().GetResult();
        _server.Dispose();
    }
}
