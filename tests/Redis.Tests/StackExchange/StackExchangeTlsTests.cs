using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Tests.Lanes;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class StackExchangeTlsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-tls-").FullName;
    private readonly int _port = FreePort.Next();

    [Fact]
    public async Task Messages_OverTlsWithAnAuthorityOfItsOwn_Arrive()
    {
        await using var server = await StartServer("127.0.0.1");

        Measure(new TlsOptions { CaFile = CertificateFile });
    }

    [Fact]
    public async Task Messages_OverTlsThatAsksForAClientCertificate_Arrive()
    {
        await using var server = await StartServer("127.0.0.1", "--tls-auth-clients", "yes");

        Measure(new TlsOptions { CaFile = CertificateFile, CertificateFile = CertificateFile, KeyFile = KeyFile });
    }

    [Fact]
    public async Task Messages_OverTlsWithoutVerification_Arrive()
    {
        await using var server = await StartServer("10.0.0.1");

        Measure(new TlsOptions { InsecureSkipVerify = true });
    }

    [Fact]
    public async Task Open_WithACertificateThatNobodyTrusts_SaysSo()
    {
        await using var server = await StartServer("127.0.0.1");

        Should.Throw<RedisConnectException>(() => Open(new TlsOptions()))
            .Reason.ShouldBe(ConnectFailure.CertificateUntrusted);
    }

    [Fact]
    public async Task Open_WithACertificateForAnotherHost_SaysSo()
    {
        await using var server = await StartServer("10.0.0.1");

        Should.Throw<RedisConnectException>(() => Open(new TlsOptions { CaFile = CertificateFile }))
            .Reason.ShouldBe(ConnectFailure.CertificateNameMismatch);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string CertificateFile => Path.Combine(_folder, "certificate.pem");

    private string KeyFile => Path.Combine(_folder, "key.pem");

    private void Measure(TlsOptions tls)
    {
        using var lane = Open(tls);
        lane.Description.Transport.ShouldStartWith("tls");
        lane.Publish(0, "payload"u8);
        LaneTest.ReceiveBytes(lane).ShouldBe("payload"u8.ToArray());
    }

    private StackExchangeLane Open(TlsOptions tls) =>
        StackExchangeLane.Open(
            new RedisEndpoint { Host = "127.0.0.1", Port = _port, UseTls = true, Tls = tls },
            Patience.Connection,
            new LaneOptions { PublishChannels = ["ping"], SubscribeChannels = ["ping"] });

    private Task<RedisServerProcess> StartServer(string address, params string[] arguments)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=redislatency-test", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Parse(address));
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        File.WriteAllText(CertificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(KeyFile, key.ExportPkcs8PrivateKeyPem());
        return RedisTest.StartServer(
        [
            "--tls-port", _port.ToString(CultureInfo.InvariantCulture), "--tls-cert-file", CertificateFile,
            "--tls-key-file", KeyFile, "--tls-ca-cert-file", CertificateFile, "--tls-auth-clients", "no", .. arguments,
        ]);
    }
}
