using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.BadInput;

/// <summary>TLS that cannot be ends both services with 3, and says which side would have to change what.</summary>
public sealed class TlsTests : IDisposable
{
    private readonly TestAuthority _authority = new();
    private readonly int _port = FreePort.Next();

    public void Dispose() => _authority.Dispose();

    [Fact]
    public async Task Server_WithTls_RefusesWhatIsNotRight()
    {
        await using var server = await StartServer(forLoopback: true);
        var port = _port.ToString(CultureInfo.InvariantCulture);
        var secure = $"rediss://127.0.0.1:{port}";

        await BothAreRefused(["the server speaks TLS on this port; write rediss://"], "--redis", $"127.0.0.1:{port}");
        await BothAreRefused(["the server does not speak TLS on this port", "write redis:// without"],
            "--redis", server.Uri.Replace("redis:", "rediss:", StringComparison.Ordinal));
        await BothAreRefused(
            ["the server's certificate is not trusted", "--tls-ca", "--tls-insecure"], "--redis", secure);
        await BothAreRefused(
            ["the server's certificate is for cache.example, 127.0.0.1, not for 'other.example'", "--tls-server-name"],
            "--redis", secure, "--tls-ca", _authority.CaFile, "--tls-server-name", "other.example");
        await BothAreRefused(
            ["the server wants a client certificate", "--tls-cert", "--tls-key"],
            "--redis", secure, "--tls-ca", _authority.CaFile);
    }

    [Fact]
    public async Task Certificate_ForAnotherName_IsRefusedAndNamesBoth()
    {
        await using var server = await StartServer(forLoopback: false, "--tls-auth-clients", "no");

        await BothAreRefused(
            ["the server's certificate is for cache.example, not for '127.0.0.1'", "--tls-server-name"],
            "--redis", $"rediss://127.0.0.1:{_port.ToString(CultureInfo.InvariantCulture)}",
            "--tls-ca", _authority.CaFile);
    }

    private async Task<RedisServerProcess> StartServer(bool forLoopback, params string[] arguments)
    {
        var (certificate, key) = _authority.Sign("cache.example", forLoopback);
        return await RedisServerProcess.Start(
            "redis-server",
            [
                "--tls-port", _port.ToString(CultureInfo.InvariantCulture), "--tls-cert-file", certificate,
                "--tls-key-file", key, "--tls-ca-cert-file", _authority.CaFile, .. arguments,
            ]);
    }

    private static async Task BothAreRefused(string[] parts, params string[] arguments)
    {
        foreach (var project in (string[])["Producer", "Consumer"])
            (await Outcome.Of(project, arguments)).ShouldBeRefused(3, parts);
    }
}
