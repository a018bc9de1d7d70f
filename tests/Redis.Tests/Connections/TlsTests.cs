using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Tests.Lanes;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class TlsTests : IDisposable
{
    private readonly TestAuthority _authority = new();
    private readonly int _port = FreePort.Next();

    private string Uri => $"rediss://127.0.0.1:{_port}";

    [Theory]
    [InlineData("TLSv1.2")]
    [InlineData("TLSv1.3")]
    public async Task TrustedServer_IsSpokenTo(string version)
    {
        await using var server = await StartServer(arguments: ["--tls-protocols", version, "--tls-auth-clients", "no"]);
        using var connection = RedisConnection.Open(
            Trusting(), Patience.Connection with { ReplyLimits = RespLimits.List });

        connection.Execute("SET", "k", new string('x', 1 << 20));
        connection.Execute("GET", "k").Text.Length.ShouldBe(1 << 20);
        connection.TransportDescription.ShouldStartWith("tls");
    }

    [Fact]
    public async Task Lane_OverTls_CarriesMessagesOfEverySize()
    {
        await using var server = await StartServer(arguments: ["--tls-auth-clients", "no"]);
        using var lane = RawLane.Open(
            Trusting(), Patience.Connection, new() { PublishChannels = ["a"], SubscribeChannels = ["a"] });

        foreach (var size in (int[])[0, 1, 16_000, 16_384, 16_385, 100_000, 1 << 20])
        {
            var payload = new byte[size];
            new Random(size).NextBytes(payload);
            lane.DrainReplies();
            lane.Publish(0, payload);
            LaneTest.Receive(lane).Payload.SequenceEqual(payload).ShouldBeTrue();
        }

        lane.TryReceive(long.MinValue, out _).ShouldBeFalse();
        lane.Description.Transport.ShouldContain("tls");
    }

    [Fact]
    public async Task Lane_OverTls_HandsOutManyMessagesThatCameTogether()
    {
        await using var server = await StartServer(arguments: ["--tls-auth-clients", "no"]);
        using var lane = RawLane.Open(
            Trusting(), Patience.Connection, new() { PublishChannels = ["a"], SubscribeChannels = ["a"] });
        for (var i = 0; i < 1000; i++)
            lane.Publish(0, BitConverter.GetBytes(i));

        for (var i = 0; i < 1000; i++)
            BitConverter.ToInt32(LaneTest.Receive(lane).Payload).ShouldBe(i);
    }

    [Fact]
    public async Task UnknownAuthority_IsNotTrusted_UnlessTheUserInsists()
    {
        await using var server = await StartServer(arguments: ["--tls-auth-clients", "no"]);

        Fails(RedisEndpoint.Parse(Uri), ConnectFailure.CertificateUntrusted).ShouldContain("not trusted");
        var insecure = RedisEndpoint.Parse(Uri) with { Tls = new() { InsecureSkipVerify = true } };
        RedisConnection.Open(insecure).Dispose();
    }

    [Fact]
    public async Task CertificateForAnotherHost_IsAMismatch_UnlessThatNameIsGiven()
    {
        await using var server = await StartServer(forLoopback: false, "--tls-auth-clients", "no");

        Fails(Trusting(), ConnectFailure.CertificateNameMismatch).ShouldContain("cache.example, not for '127.0.0.1'");
        RedisConnection.Open(
            RedisEndpoint.Parse(Uri) with { Tls = new() { CaFile = _authority.CaFile, ServerName = "cache.example" } })
            .Dispose();
    }

    [Theory]
    [InlineData("TLSv1.2")]
    [InlineData("TLSv1.3")]
    public async Task ClientCertificate_WantedByServer_IsAskedFor_AndTakenWhenGiven(string version)
    {
        await using var server =
            await StartServer(arguments: ["--tls-protocols", version, "--tls-auth-clients", "yes"]);
        var (certificate, key) = _authority.Sign("client");

        Fails(Trusting(), ConnectFailure.ClientCertificateRefused).ShouldContain("wants a client certificate");
        using var connection = RedisConnection.Open(Trusting(certificate, key), Patience.Connection);
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Theory]
    [InlineData("TLSv1.2")]
    [InlineData("TLSv1.3")]
    public async Task ClientCertificate_OfAnotherAuthority_IsRefused(string version)
    {
        await using var server =
            await StartServer(arguments: ["--tls-protocols", version, "--tls-auth-clients", "yes"]);
        using var other = new TestAuthority();
        var (certificate, key) = other.Sign("client");

        Fails(Trusting(certificate, key), ConnectFailure.ClientCertificateRefused).ShouldContain("did not accept");
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public void ConnectionThatDropsDuringLogin_IsNotBlamedOnTheClientCertificate(SslProtocols version)
    {
        var (certificate, key) = _authority.Sign("client");
        var (serverCertificate, serverKey) = _authority.Sign("server");
        using var own = X509Certificate2.CreateFromPemFile(serverCertificate, serverKey);
        using var server = FakeServer.Start((client, _) =>
        {
            using var stream = new SslStream(new NetworkStream(client));
            stream.AuthenticateAsServer(new SslServerAuthenticationOptions
            {
                ServerCertificate = own,
                ClientCertificateRequired = true,
                EnabledSslProtocols = version,
                RemoteCertificateValidationCallback = (_, presented, _, _) => presented is not null,
            });
            stream.ReadByte();
        });

        Fails(At(server, certificate, key), ConnectFailure.ClosedByServer);
    }

    [Theory]
    [InlineData("\x16\x03\x03\0\x7a\x02\0\0", ConnectFailure.ClosedByServer, "closed the connection")]
    [InlineData("\x15\x03\x01\0\x02\x02\x46", ConnectFailure.RefusedByServer, "too old")]
    public void HandshakeThatEndsEarly_SaysWhy(string answer, ConnectFailure reason, string why)
    {
        var (certificate, key) = _authority.Sign("client");
        using var server = FakeServer.Start((client, _) => FakeServer.AnswerOnce(client, answer));

        Fails(At(server, certificate, key), reason).ShouldContain(why);
    }

    [Fact]
    public async Task ExpiredCertificate_IsNamed()
    {
        var (certificate, key) = _authority.Sign("cache.example", isExpired: true);
        await using var server = await RedisTest.StartServer(
        [
            "--tls-port", $"{_port}", "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", _authority.CaFile, "--tls-auth-clients", "no",
        ]);

        Fails(Trusting(), ConnectFailure.CertificateUntrusted).ShouldContain("out of date: it expired on ");
    }

    [Fact]
    public async Task Tls_AgainstAPlainPort_IsNamed()
    {
        await using var server = await RedisTest.StartServer();

        Fails(RedisEndpoint.Parse($"rediss://127.0.0.1:{server.Port}"), ConnectFailure.TlsAgainstPlain)
            .ShouldContain("redis://");
    }

    [Fact]
    public async Task PlainText_AgainstATlsPort_IsNamed()
    {
        await using var server = await StartServer(arguments: ["--tls-auth-clients", "yes"]);

        Fails(RedisEndpoint.Parse($"redis://127.0.0.1:{_port}"), ConnectFailure.PlainAgainstTls)
            .ShouldContain("rediss://");
    }

    [Fact]
    public void Tls_AgainstASilentServer_TimesOut()
    {
        using var server = FakeServer.Answering();
        var endpoint = RedisEndpoint.Parse(server.Uri.Replace("redis:", "rediss:", StringComparison.Ordinal));

        Fails(endpoint with { ConnectTimeout = TimeSpan.FromMilliseconds(100) }, ConnectFailure.TimedOut);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("not a certificate")]
    public void CaFile_ThatCannotBeRead_IsNamed(string? contents)
    {
        if (contents is null)
            File.Delete(_authority.CaFile);
        else
            File.WriteAllText(_authority.CaFile, contents);
        using var server = FakeServer.Answering();

        Fails(
            RedisEndpoint.Parse(server.Uri) with { UseTls = true, Tls = new() { CaFile = _authority.CaFile } },
            ConnectFailure.CertificateUntrusted).ShouldContain("ca.pem");
    }

    [Fact]
    public async Task Server_Killed_IsALostConnection()
    {
        await using var server = await StartServer(arguments: ["--tls-auth-clients", "no"]);
        using var connection = RedisConnection.Open(Trusting(), Patience.Connection);
        await server.Kill();

        Should.Throw<RedisConnectionLostException>(() => connection.Execute("PING"));
    }

    public void Dispose() => _authority.Dispose();

    private static string Fails(RedisEndpoint endpoint, ConnectFailure reason)
    {
        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint).Dispose());
        problem.Reason.ShouldBe(reason, problem.ToString());
        return problem.Message;
    }

    private RedisEndpoint At(FakeServer server, string certificate, string key) => RedisEndpoint.Parse(server.Uri) with
    {
        UseTls = true,
        Tls = new() { CaFile = _authority.CaFile, CertificateFile = certificate, KeyFile = key },
    };

    private RedisEndpoint Trusting(string? certificate = null, string? key = null) => RedisEndpoint.Parse(Uri) with
    {
        Tls = new() { CaFile = _authority.CaFile, CertificateFile = certificate, KeyFile = key },
    };

    private Task<RedisServerProcess> StartServer(bool forLoopback = true, params string[] arguments)
    {
        var (certificate, key) = _authority.Sign("cache.example", forLoopback);
        return RedisTest.StartServer(
        [
            "--tls-port", $"{_port}", "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", _authority.CaFile, .. arguments,
        ]);
    }
}
