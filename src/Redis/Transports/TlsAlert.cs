using System.Text.RegularExpressions;

namespace RedisLatency.Redis.Transports;

/// <summary>
/// The word with which a server ended TLS (RFC 8446, section 6), out of what OpenSSL or SslStream say of it:
/// <c>tlsv1 alert unknown ca</c>, <c>sent a TLS alert: 'UnknownCA'</c>.
/// </summary>
/// <param name="Name">In lower case, without spaces: <c>unknownca</c>.</param>
internal sealed partial record TlsAlert(string Name)
{
    /// <summary>Whether it blames what this side showed, or did not show.</summary>
    public bool IsAboutClientCertificate =>
        Name.Contains("certificate", StringComparison.Ordinal)
        || Name is "unknownca" or "accessdenied" or "decrypterror";

    /// <summary>A server that wants a certificate and gets none says no more than this before TLS 1.3.</summary>
    public bool IsHandshakeFailure => Name is "handshakefailure";

    public bool IsAboutVersion => Name is "protocolversion";

    public static TlsAlert? In(Exception problem)
    {
        for (var inner = problem; inner is not null; inner = inner.InnerException)
        {
            if (Words().Match(inner.Message) is { Success: true } match)
                return new TlsAlert(string.Concat(match.Groups[1].Value.Split(' ')).ToLowerInvariant());
        }

        return null;
    }

    [GeneratedRegex("alert:? '?([A-Za-z ]+)", RegexOptions.CultureInvariant)]
    private static partial Regex Words();
}
