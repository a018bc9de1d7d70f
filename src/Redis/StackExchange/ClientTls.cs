using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Redis.Endpoints;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

internal static class ClientTls
{
    public static void Configure(Client.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        var tls = endpoint.Tls;
        configuration.Ssl = true;
        configuration.SslHost = tls.ServerName ?? endpoint.Host;

        // What the system allows: 1.2.6 by itself stops at TLS 1.2.
        configuration.SslProtocols = SslProtocols.None;
        if (tls.InsecureSkipVerify || tls.CaFile is not null)
        {
            var authorities = new X509Certificate2Collection();
            if (tls.CaFile is { } file)
                authorities.ImportFromPemFile(file);
            configuration.CertificateValidation += (_, certificate, presented, errors) => tls.InsecureSkipVerify
                || (certificate is X509Certificate2 server && IsTrusted(server, presented, errors, authorities));
        }

        if (tls.CertificateFile is { } certificateFile)
        {
            var own = WithUsableKey(X509Certificate2.CreateFromPemFile(certificateFile, tls.KeyFile));
            configuration.CertificateSelection += (_, _, _, _, _) => own;
        }
    }

    private static bool IsTrusted(
        X509Certificate2 server, X509Chain? presented, SslPolicyErrors errors, X509Certificate2Collection authorities)
    {
        if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None)
            return false;
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(authorities);
        if (presented is not null)
            chain.ChainPolicy.ExtraStore.AddRange(presented.ChainPolicy.ExtraStore);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return chain.Build(server);
    }

    private static X509Certificate2 WithUsableKey(X509Certificate2 certificate)
    {
        // SChannel cannot use a key that lives in memory only.
        if (!OperatingSystem.IsWindows())
            return certificate;
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }
}
