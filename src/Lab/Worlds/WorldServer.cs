using System.Globalization;
using System.Net;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;
using RedisLatency.Server.Clients;

namespace RedisLatency.Lab.Worlds;

/// <summary>The Redis of a world: one of its own in this process, or one that was given.</summary>
internal sealed class WorldServer : IDisposable
{
    private readonly InProcessServer? _own;

    public WorldServer(RedisEndpoint? given)
    {
        _own = given is null ? InProcessServer.Start() : null;
        Endpoint = given ?? RedisEndpoint.Parse(_own!.Endpoint);
    }

    public RedisEndpoint Endpoint { get; }

    /// <summary>What it shall do wrong; null where it is not ours.</summary>
    public FaultScript? Faults => _own?.Faults;

    public IPEndPoint Address =>
        new(
            IPAddress.TryParse(Endpoint.Host, out var address) ? address : Dns.GetHostAddresses(Endpoint.Host)[0],
            Endpoint.Port);

    public static string TextOf(IPEndPoint endpoint) =>
        string.Create(CultureInfo.InvariantCulture, $"redis://{endpoint}");

    public void Dispose() => _own?.Dispose();
}
