using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Hosting.Targets;

/// <summary>Makes targets of options: endpoints, passwords from wherever they are, TLS.</summary>
public static class TargetResolution
{
    private const string Unchecked = "warning: certificates are not checked, as asked (--tls-insecure): whoever "
        + "answers is taken for the server, and is given the password";

    private static int _hasWarned;

    /// <summary>
    /// The targets, in the order of the options. User, password file and variable are for the first of them alone, and
    /// certificates where the others have some of their own: these may be somebody else's.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="environment">The variables.</param>
    /// <param name="askPassword">Asks a person for the password of an address.</param>
    /// <param name="fleet">Where members meet, which the options of TLS may be for, too.</param>
    /// <exception cref="ConfigurationException">A file cannot be read.</exception>
    public static IReadOnlyList<ResolvedTarget> Resolve(
        TargetOptions options,
        IReadOnlyDictionary<string, string> environment,
        Func<string, string?> askPassword,
        FleetOptions? fleet = null)
    {
        var first = options.PasswordFile is { } file ? ReadPassword($"--password-file {file}", file) : null;
        var second = options.OtherPasswordFile is { } other
            ? ReadPassword($"--other-password-file {other}", other)
            : null;
        RedisEndpoint[] endpoints = [.. options.Endpoints.Select(RedisEndpoint.Parse)];
        RequireTls(options, fleet?.Control is { } control ? [.. endpoints, RedisEndpoint.Parse(control)] : endpoints);
        return
        [
            .. endpoints.Select(endpoint => Resolve(
                endpoint, (endpoint.Address, endpoint.Service) != (endpoints[0].Address, endpoints[0].Service))),
        ];

        ResolvedTarget Resolve(RedisEndpoint endpoint, bool isOther)
        {
            var sources = new PasswordSources
            {
                FileContents = isOther ? second : first,
                EnvironmentValue =
                    isOther ? null : environment.GetValueOrDefault(PasswordSources.EnvironmentVariable),
                Prompt = options.AskPassword ? () => askPassword(endpoint.Address) : null,
            };
            var user = isOther ? options.OtherUser : options.User;
            var (withPassword, _) = sources.Resolve(
                WithTls(endpoint with { User = endpoint.User ?? user }, options, isOther));
            return new ResolvedTarget(withPassword, ConnectionOf(options), options.Driver);
        }
    }

    /// <summary>The endpoint with what the options of the group TLS say; what they leave out is as it was.</summary>
    /// <remarks>Where they turn checking off, standard error says so, once.</remarks>
    public static RedisEndpoint WithTls(RedisEndpoint endpoint, TargetOptions options, bool isOther = false)
    {
        var (authorities, certificate, key) = isOther && OtherAsked(options) is not null
            ? (options.OtherTlsAuthorities, options.OtherTlsCertificate, options.OtherTlsKey)
            : (options.TlsAuthorities, options.TlsCertificate, options.TlsKey);
        if (options.TlsInsecure && endpoint.UseTls && Interlocked.Exchange(ref _hasWarned, 1) == 0)
            new Diagnostics().WriteLine(Unchecked);
        return endpoint with
        {
            Tls = endpoint.Tls with
            {
                CaFile = authorities ?? endpoint.Tls.CaFile,
                CertificateFile = certificate ?? endpoint.Tls.CertificateFile,
                KeyFile = key ?? endpoint.Tls.KeyFile,
                ServerName = options.TlsServerName ?? endpoint.Tls.ServerName,
                InsecureSkipVerify = options.TlsInsecure || endpoint.Tls.InsecureSkipVerify,
            },
        };
    }

    /// <summary>How connections are opened.</summary>
    public static RedisConnectionOptions ConnectionOf(TargetOptions options) => new()
    {
        ConnectTimeout = options.ConnectTimeout,
        CommandTimeout = options.CommandTimeout,
        IdleTimeout = options.IdleTimeout,
        Protocol = options.Protocol switch
        {
            ProtocolChoice.Resp2 => RespPreference.Resp2,
            ProtocolChoice.Resp3 => RespPreference.Resp3,
            _ => RespPreference.Auto,
        },
    };

    /// <summary>The first line of a file with a password.</summary>
    /// <param name="given">By what the file was named, for the message.</param>
    /// <param name="path">The file.</param>
    /// <exception cref="ConfigurationException">It cannot be read.</exception>
    public static string ReadPassword(string given, string path)
    {
        try
        {
            return SmallFile.ReadFirstLine(path);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new ConfigurationException([$"{given}: there is no such file"]);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ConfigurationException([$"{given}: {failure.Message}"]);
        }
    }

    /// <summary>Of several endpoints one is enough: the options are for all that speak TLS.</summary>
    /// <exception cref="ConfigurationException">
    /// TLS is asked for where nothing speaks it, or a file is missing.
    /// </exception>
    public static void RequireTls(TargetOptions options, params ReadOnlySpan<RedisEndpoint> endpoints)
    {
        RequireFiles(options);
        var asked = options.TlsAuthorities is not null ? "--tls-ca"
            : options.TlsCertificate is not null ? "--tls-cert"
            : options.TlsServerName is not null ? "--tls-server-name"
            : options.TlsInsecure ? "--tls-insecure"
            : null;
        RequireAny(asked, endpoints);
        if (endpoints.Length > 1)
            RequireAny(OtherAsked(options), endpoints[1..]);
    }

    private static void RequireAny(string? asked, ReadOnlySpan<RedisEndpoint> endpoints)
    {
        if (asked is null || endpoints.IsEmpty)
            return;
        foreach (var endpoint in endpoints)
        {
            if (endpoint.UseTls)
                return;
        }

        throw new ConfigurationException(
            $"{asked}: {endpoints[0]} is spoken to without TLS; write rediss:// (or ssl=True)");
    }

    private static string? OtherAsked(TargetOptions options) =>
        options.OtherTlsAuthorities is not null ? "--other-tls-ca"
        : options.OtherTlsCertificate is not null ? "--other-tls-cert"
        : null;

    private static void RequireFiles(TargetOptions options)
    {
        var missing = new[]
        {
            ("--tls-ca", options.TlsAuthorities),
            ("--tls-cert", options.TlsCertificate),
            ("--tls-key", options.TlsKey),
            ("--other-tls-ca", options.OtherTlsAuthorities),
            ("--other-tls-cert", options.OtherTlsCertificate),
            ("--other-tls-key", options.OtherTlsKey),
        }.Where(file => file.Item2 is not null && !File.Exists(file.Item2)).ToList();
        if (missing.Count > 0)
        {
            throw new ConfigurationException(
                [.. missing.Select(file => $"{file.Item1} {file.Item2}: there is no such file")]);
        }
    }
}
