using System.Net.Security;
using System.Net.Sockets;
using System.Reflection;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

internal static class ClientConnection
{
    /// <summary>The version of the package that runs: <c>3.4.35</c>.</summary>
    public static string Version { get; } = ReadVersion(typeof(Driver.ConnectionMultiplexer).Assembly);

    /// <summary>
    /// Connects and subscribes once without the client, which would only say that it could not: a failure says why, in
    /// the user's terms, and the same in either driver.
    /// </summary>
    /// <returns>The server that was reached: of a cluster one, through Sentinels the primary.</returns>
    public static RedisEndpoint Rehearse(
        RedisEndpoint endpoint, RedisConnectionOptions options, IReadOnlyList<string> subscribeChannels)
    {
        using var connection = RedisConnection.Open(endpoint, options);
        if (subscribeChannels.Count > 0)
            Subscription.Confirm(connection, subscribeChannels);
        return connection.Endpoint;
    }

    /// <summary>
    /// A multiplexer for a lane: connected or refused, it never connects again, and its channels are those of the run.
    /// </summary>
    public static Driver.ConnectionMultiplexer Open(
        RedisEndpoint endpoint, RedisConnectionOptions options, bool isPublishing)
    {
        var configuration = Configure(endpoint, options);
        configuration.AbortOnConnectFail = true;
        configuration.ChannelPrefix = default;
        configuration.ReconnectRetryPolicy = new NeverRetry();

        // A publish would wait in the backlog while the connection is away, and go out late. SUBSCRIBE has to wait: the
        // client connects before its subscription connection is up.
        if (isPublishing)
            configuration.BacklogPolicy = Driver.BacklogPolicy.FailFast;
        return Connect(configuration, endpoint);
    }

    /// <summary>What the connection string says and <see cref="Open"/> sets otherwise, by the options' names.</summary>
    public static IEnumerable<string> Overridden(RedisEndpoint endpoint)
    {
        var given = Configure(endpoint, new RedisConnectionOptions());
        if (!given.AbortOnConnectFail)
            yield return "abortConnect";
        if (!given.ChannelPrefix.IsNullOrEmpty)
            yield return "channelPrefix";
    }

    /// <summary>Connections are the client's own affair; the first server's login and TLS are those of all.</summary>
    public static Driver.ConnectionMultiplexer OpenForApplication(
        IReadOnlyList<RedisEndpoint> servers, RedisConnectionOptions options)
    {
        var configuration = Configure(servers[0], options);
        foreach (var other in servers.Skip(1))
            AddServer(configuration, other);
        return Connect(configuration, servers[0]);
    }

    /// <summary>As for an application; but nothing waits for a server that is away, and it is soon tried.</summary>
    public static Driver.ConnectionMultiplexer OpenForControl(
        IReadOnlyList<RedisEndpoint> servers, RedisConnectionOptions options, TimeSpan reconnectPause)
    {
        var configuration = Configure(servers[0], options);
        foreach (var other in servers.Skip(1))
            AddServer(configuration, other);
        configuration.ChannelPrefix = default;
        configuration.BacklogPolicy = Driver.BacklogPolicy.FailFast;
        configuration.ReconnectRetryPolicy = new Driver.LinearRetry(Milliseconds(reconnectPause));
        return Connect(configuration, servers[0]);
    }

    /// <summary>The version of RESP that is spoken.</summary>
    public static int Protocol(Driver.ConnectionMultiplexer multiplexer) =>
        multiplexer.GetServer(multiplexer.GetEndPoints()[0]).Protocol == Driver.RedisProtocol.Resp3 ? 3 : 2;

    private static Driver.ConnectionMultiplexer Connect(
        Driver.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        try
        {
            return Driver.ConnectionMultiplexer.Connect(configuration);
        }
        catch (Exception problem) when (Translate(problem, endpoint) is { } translated)
        {
            throw translated;
        }
    }

    /// <summary>The same failure in this library's words, or null where it is none of the client's.</summary>
    public static RedisException? Translate(Exception problem, RedisEndpoint endpoint) => problem switch
    {
        Driver.RedisConnectionException failed =>
            new RedisConnectException(Reason(failed), $"{endpoint}: {failed.Message}", failed),
        Driver.RedisServerException refused => new RedisServerException(refused.Message),
        TimeoutException => new RedisTimeoutException($"{endpoint}: {problem.Message}"),
        ObjectDisposedException => new RedisConnectionLostException($"{endpoint}: lost while subscribing", problem),
        _ => null,
    };

    /// <summary>
    /// The connection string as the client reads it, behind what holds where it says nothing: limits, and that neither
    /// a key is read nor a channel subscribed that the run did not ask for.
    /// </summary>
    internal static Driver.ConfigurationOptions Configure(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var keepAlive = options.IdleTimeout > TimeSpan.Zero
            ? $"keepAlive={Math.Max(1, (int)options.IdleTimeout.TotalSeconds)}"
            : string.Empty;
        var configuration = Driver.ConfigurationOptions.Parse(string.Join(
            ',',
            "configChannel=,tiebreaker=",
            $"connectTimeout={Milliseconds(options.ConnectTimeout)}",
            $"syncTimeout={Milliseconds(options.CommandTimeout)}",
            keepAlive,
            endpoint.ClientOptions));
        AddServer(configuration, endpoint);
        configuration.ClientName = endpoint.ClientName ?? options.ClientName;
        configuration.DefaultDatabase = endpoint.Database;
        configuration.User = endpoint.User;
        configuration.Password = endpoint.Password?.Reveal();
        configuration.Ssl = endpoint.UseTls;
        // As without the client: who has no way out of a network would wait for a list of the authority.
        configuration.CheckCertificateRevocation = false;
        if (endpoint.UseTls)
            ClientTls.Configure(configuration, endpoint);
        if (options.Protocol != RespPreference.Auto)
        {
            configuration.Protocol = options.Protocol == RespPreference.Resp3
                ? Driver.RedisProtocol.Resp3
                : Driver.RedisProtocol.Resp2;
        }

        return configuration;
    }

    private static void AddServer(Driver.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        if (endpoint.SocketPath is { } path)
            configuration.EndPoints.Add(new UnixDomainSocketEndPoint(path));
        else
            configuration.EndPoints.Add(endpoint.Host, endpoint.Port);
    }

    private static int Milliseconds(TimeSpan limit) => (int)Math.Clamp(limit.TotalMilliseconds, 1, int.MaxValue);

    private static ConnectFailure Reason(Driver.RedisConnectionException failed) => failed.FailureType switch
    {
        Driver.ConnectionFailureType.AuthenticationFailure => ConnectFailure.AuthenticationFailed,
        Driver.ConnectionFailureType.SocketClosed => ConnectFailure.ClosedByServer,
        Driver.ConnectionFailureType.Loading or Driver.ConnectionFailureType.ProtocolFailure =>
            ConnectFailure.RefusedByServer,
        _ => ConnectFailure.Unreachable,
    };

    // The assembly's own version is only the major one.
    private static string ReadVersion(Assembly assembly)
    {
        var name = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
        return name.IndexOf('+') is var end and >= 0 ? name[..end] : name;
    }

    private sealed class NeverRetry : Driver.IReconnectRetryPolicy
    {
        public bool ShouldRetry(long currentRetryCount, int timeElapsedMillisecondsSinceLastRetry) => false;
    }
}

internal static class ClientTls
{
    public static void Configure(Driver.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        var tls = endpoint.Tls;
        configuration.SslHost = tls.ServerName ?? endpoint.Host;
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
            var own = TlsHandshake.WithUsableKey(X509Certificate2.CreateFromPemFile(certificateFile, tls.KeyFile));
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
}
