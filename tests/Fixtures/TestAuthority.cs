using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace RedisLatency.Fixtures;

/// <summary>An authority of a test's own, with certificates it has signed, as PEM files in a folder.</summary>
public sealed class TestAuthority : IDisposable
{
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _certificate;
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-tls-").FullName;

    public TestAuthority()
    {
        var request = new CertificateRequest("CN=Test Authority", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _certificate = request.CreateSelfSigned(Start, End);
        File.WriteAllText(CaFile, _certificate.ExportCertificatePem());
    }

    public string CaFile => Path.Combine(_folder, "ca.pem");

    private static DateTimeOffset Start => TimeProvider.System.GetUtcNow().AddDays(-1);

    private static DateTimeOffset End => TimeProvider.System.GetUtcNow().AddDays(1);

    /// <summary>
    /// Signs a certificate for a host name, for 127.0.0.1 too where asked, that is still valid or is not.
    /// </summary>
    public (string CertificateFile, string KeyFile) Sign(string name, bool forLoopback = true, bool isExpired = false)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        if (forLoopback)
            names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate =
            request.Create(
                _certificate, Start.AddHours(1), isExpired ? Start.AddHours(2) : End.AddHours(-1), Guid.NewGuid().ToByteArray());
        var certificateFile = Path.Combine(_folder, $"{name}.crt");
        var keyFile = Path.Combine(_folder, $"{name}.key");
        File.WriteAllText(certificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(keyFile, key.ExportPkcs8PrivateKeyPem());
        return (certificateFile, keyFile);
    }

    public void Dispose()
    {
        _certificate.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
