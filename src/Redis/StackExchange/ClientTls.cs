using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Redis.Endpoints;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>Makes the client speak TLS as an endpoint asks.</summary>
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
            configuration.CertificateValidation += (_, certificate, _, errors) => tls.InsecureSkipVerify
                || (certificate is X509Certificate2 server && IsTrusted(server, errors, authorities));
        }

        if (tls.CertificateFile is { } certificateFile)
        {
            var own = X509Certificate2.CreateFromPemFile(certificateFile, tls.KeyFile);
            configuration.CertificateSelection += (_, _, _, _, _) => own;
        }
    }

    private static bool IsTrusted(
        X509Certificate2 server, SslPolicyErrors errors, X509Certificate2Collection authorities)
    {
        if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None)
            return false;
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(authorities);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return chain.Build(server);
    }
}
