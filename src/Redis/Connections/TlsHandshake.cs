using System.Globalization;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.RegularExpressions;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Makes TLS of a connected transport, and says in the user's terms why it could not. A Redis without TLS may wait for
/// a line's end in what is a handshake, and say nothing: hence the look whether it answers plain text.
/// </summary>
internal sealed class TlsHandshake(RedisEndpoint endpoint, TimeSpan limit, long deadline, Func<bool> speaksPlain)
{
    private SslPolicyErrors _errors;
    private string? _expiry;
    private string _chainProblems = string.Empty;
    private string _certificateNames = string.Empty;
    private bool _askedForCertificate;

    private string ServerName => endpoint.Tls.ServerName ?? endpoint.Host;

    public TlsTransport Run(Transport transport)
    {
        var records = new TlsRecordStream(transport) { Deadline = deadline, WhenSilent = ThrowWherePlainIsSpoken };
        var stream = new SslStream(records, leaveInnerStreamOpen: true);
        try
        {
            stream.AuthenticateAsClient(Options());
            return new TlsTransport(transport, records, stream, endpoint.Address);
        }
        catch (Exception problem)
        {
            stream.Dispose();
            transport.Dispose();
            if (Explain(problem, records) is { } explained)
                throw explained;
            throw;
        }
    }

    public static bool IsAnswered(Transport transport, string host, long deadline)
    {
        var records = new TlsRecordStream(transport) { Deadline = deadline };
        using var stream = new SslStream(records, leaveInnerStreamOpen: true);
        try
        {
            // The answer is all that is wanted: what the certificate says, nothing relies on.
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions
            {
                TargetHost = host,
                RemoteCertificateValidationCallback = (_, _, _, _) => false,
            });
        }
        catch (Exception problem) when (problem is AuthenticationException or IOException or RedisException)
        {
            return records.HasSeenTls;
        }

        return true;
    }

    public static X509Certificate2 WithUsableKey(X509Certificate2 certificate)
    {
        // SChannel cannot use a key that lives in memory only.
        if (!OperatingSystem.IsWindows())
            return certificate;
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private void ThrowWherePlainIsSpoken()
    {
        if (speaksPlain())
            throw new RedisProtocolException("is silent to TLS and answers a plain PING");
    }

    private SslClientAuthenticationOptions Options()
    {
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = ServerName,
            RemoteCertificateValidationCallback = Judge,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        };
        if (endpoint.Tls.CaFile is { } caFile)
            options.CertificateChainPolicy = TrustOnly(caFile);
        if (endpoint.Tls.CertificateFile is { } certificateFile)
        {
            options.ClientCertificateContext = ClientCertificate(certificateFile);
        }
        else
        {
            options.LocalCertificateSelectionCallback = (_, _, _, remote, issuers) =>
            {
                // The first call comes before the server has said anything.
                _askedForCertificate |= remote is not null || issuers.Length > 0;
                return null!;
            };
        }

        return options;
    }

    private X509ChainPolicy TrustOnly(string caFile)
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
        };
        try
        {
            policy.CustomTrustStore.ImportFromPemFile(caFile);
        }
        catch (Exception problem) when (IsBadFile(problem))
        {
            throw Failure(
                ConnectFailure.CertificateUntrusted,
                $"the CA file '{caFile}' cannot be read: {problem.Message}",
                problem);
        }

        return policy.CustomTrustStore.Count > 0
            ? policy
            : throw Failure(
                ConnectFailure.CertificateUntrusted, $"the CA file '{caFile}' holds no certificate in PEM form");
    }

    private SslStreamCertificateContext ClientCertificate(string certificateFile)
    {
        try
        {
            var certificate = X509Certificate2.CreateFromPemFile(certificateFile, endpoint.Tls.KeyFile);
            var chain = new X509Certificate2Collection();
            chain.ImportFromPemFile(certificateFile);
            return SslStreamCertificateContext.Create(WithUsableKey(certificate), chain, offline: true);
        }
        catch (Exception problem) when (IsBadFile(problem))
        {
            throw Failure(
                ConnectFailure.ClientCertificateRefused,
                $"the client certificate '{certificateFile}' or its key cannot be read: {problem.Message}",
                problem);
        }
    }

    private static bool IsBadFile(Exception problem) =>
        problem is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException;

    private bool Judge(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        _errors = errors;
        _chainProblems = string.Join(
            ", ", (chain?.ChainStatus ?? []).Select(status => status.StatusInformation.TrimEnd('.', ' ')).Distinct());
        if (certificate is X509Certificate2 known)
        {
            var now = TimeProvider.System.GetUtcNow().UtcDateTime;
            _expiry = now > known.NotAfter.ToUniversalTime() ? $"it expired on {Day(known.NotAfter)}"
                : now < known.NotBefore.ToUniversalTime() ? $"it is valid only from {Day(known.NotBefore)}"
                : null;
            var names = known.Extensions.OfType<X509SubjectAlternativeNameExtension>().SelectMany(
                names => names.EnumerateDnsNames().Concat(names.EnumerateIPAddresses().Select(one => one.ToString())));
            _certificateNames = string.Join(", ", names.DefaultIfEmpty(known.Subject));
        }

        return errors == SslPolicyErrors.None || endpoint.Tls.InsecureSkipVerify;
    }

    private static string Day(DateTime local) =>
        local.ToUniversalTime().ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture);

    private RedisConnectException? Explain(Exception problem, TlsRecordStream records)
    {
        foreach (var inner in Causes.Of(problem))
        {
            switch (inner)
            {
                case RedisProtocolException notTls:
                    return Failure(
                        ConnectFailure.TlsAgainstPlain,
                        $"the server does not speak TLS on this port (it {notTls.Message}); write "
                        + "redis:// without the second s, or use its TLS port",
                        problem);
                case RedisConnectException known:
                    return known;
                // Dropped before the handshake was over, without a word of why: it may succeed the next time.
                case RedisConnectionLostException lost when !records.HasSeenTls || TlsAlert.In(problem) is null:
                    return ConnectFault.Closed(endpoint, lost);
                case NothingToReadException or RedisTimeoutException:
                    return ConnectFault.TimedOut(
                        endpoint, limit, "for the TLS handshake; does the server speak TLS on this port", problem);
            }
        }

        return problem is AuthenticationException or IOException or RedisException ? ExplainRefusal(problem) : null;
    }

    private RedisConnectException ExplainRefusal(Exception problem)
    {
        var isJudged = !endpoint.Tls.InsecureSkipVerify;
        if (isJudged && _errors != SslPolicyErrors.None && _expiry is not null)
        {
            return Failure(
                ConnectFailure.CertificateUntrusted,
                $"the server's certificate is out of date: {_expiry}; renew it, set this machine's clock, "
                + "or accept any certificate (--tls-insecure)",
                problem);
        }

        if (isJudged && _errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors))
        {
            return Failure(
                ConnectFailure.CertificateUntrusted,
                $"the server's certificate is not trusted ({_chainProblems}); give the file of the "
                + "authority that signed it (--tls-ca), or accept any certificate (--tls-insecure)",
                problem);
        }

        if (isJudged && _errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            return Failure(
                ConnectFailure.CertificateNameMismatch,
                $"the server's certificate is for {_certificateNames}, not for '{ServerName}'; use that "
                + "name, or say that it is the right one (--tls-server-name)",
                problem);
        }

        var alert = TlsAlert.In(problem);
        if (alert is { IsAboutClientCertificate: true }
            || (_askedForCertificate && alert is { IsHandshakeFailure: true }))
            return RefusedCertificate(endpoint, problem);
        var why = alert is { IsAboutVersion: true } || IsOldVersion(problem)
            ? "the server speaks only versions of TLS that are too old, 1.2 is the oldest that is accepted; its "
                + "'tls-protocols' setting says which"
            : $"the TLS handshake failed: {(problem.InnerException ?? problem).Message}";
        return Failure(ConnectFailure.RefusedByServer, why, problem);
    }

    private RedisConnectException Failure(ConnectFailure reason, string text, Exception? problem = null) =>
        new(reason, $"{endpoint}: {text}", problem);

    // A server that answers in a version which this side does not speak is turned down by this side.
    private static bool IsOldVersion(Exception problem) => Causes.Of(problem).Any(cause =>
        cause.Message.Contains("unsupported protocol", StringComparison.OrdinalIgnoreCase)
        || cause.Message.Contains("wrong version number", StringComparison.OrdinalIgnoreCase));

    /// <summary>The server asked for a client certificate and did not go on with what it got.</summary>
    public static RedisConnectException RefusedCertificate(RedisEndpoint endpoint, Exception problem) =>
        new(
            ConnectFailure.ClientCertificateRefused,
            endpoint.Tls.CertificateFile is { } file
                ? $"{endpoint}: the server did not accept the client certificate '{file}'; is it signed by an "
                    + "authority that the server trusts, and still valid?"
                : $"{endpoint}: the server wants a client certificate: give one and its key (--tls-cert, --tls-key)",
            problem);
}

/// <summary>
/// The word with which a server ended TLS (RFC 8446, section 6), out of what OpenSSL or SslStream say of it:
/// <c>tlsv1 alert unknown ca</c>, <c>sent a TLS alert: 'UnknownCA'</c>.
/// </summary>
/// <param name="Name">In lower case, without spaces: <c>unknownca</c>.</param>
internal sealed partial record TlsAlert(string Name)
{
    public bool IsAboutClientCertificate =>
        Name.Contains("certificate", StringComparison.Ordinal)
        || Name is "unknownca" or "accessdenied" or "decrypterror";

    /// <summary>A server that wants a certificate and gets none says no more than this before TLS 1.3.</summary>
    public bool IsHandshakeFailure => Name is "handshakefailure";

    public bool IsAboutVersion => Name is "protocolversion";

    public static TlsAlert? In(Exception problem) => Causes.Of(problem)
        .Select(cause => Words().Match(cause.Message))
        .FirstOrDefault(match => match.Success) is { } match
            ? new TlsAlert(string.Concat(match.Groups[1].Value.Split(' ')).ToLowerInvariant())
            : null;

    [GeneratedRegex("alert:? '?([A-Za-z ]+)", RegexOptions.CultureInvariant)]
    private static partial Regex Words();
}

internal static class Causes
{
    /// <summary>A problem, what caused it, and so on.</summary>
    public static IEnumerable<Exception> Of(Exception? problem)
    {
        for (; problem is not null; problem = problem.InnerException)
            yield return problem;
    }
}
