using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>A server with an authority of its own, which lets nobody in whose certificate is not signed by that.</summary>
internal sealed class TlsSide : IDisposable
{
    private readonly TestAuthority _authority = new();
    private readonly string _port = FreePort.Next().ToString(CultureInfo.InvariantCulture);

    public TlsSide() => (Certificate, Key) = _authority.Sign("cache.example");

    public string Authority => _authority.CaFile;

    public string Certificate { get; }

    public string Key { get; }

    public string Uri => $"rediss://127.0.0.1:{_port}";

    public string Toml => $"address = \"127.0.0.1:{_port}\"\ntls = true\n";

    public string TomlFiles => $"ca_cert = \"{Authority}\"\ncert = \"{Certificate}\"\nkey = \"{Key}\"\n";

    public Task<RedisServerProcess> Start() => RedisServerProcess.Start(arguments:
    [
        "--tls-port", _port, "--tls-cert-file", Certificate, "--tls-key-file", Key, "--tls-ca-cert-file", Authority,
    ]);

    public void Dispose() => _authority.Dispose();
}
