using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

internal static class ClientConnection
{
    public static void RefuseWhatIsMissing(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        if (ClientVersion.WhatIsMissing(endpoint, options) is { } missing)
        {
            throw new UnsupportedByDriverException(
                $"{endpoint}: StackExchange.Redis {ClientVersion.Name} lacks {missing}; use the raw driver, or build "
                + "with a newer one (-p:StackExchangeRedisVersion=3.4.35)");
        }
    }

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

    /// <summary>A multiplexer for a lane: it never connects again, and drops what it cannot send.</summary>
    public static Client.ConnectionMultiplexer Open(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var configuration = Configure(endpoint, options);
        configuration.ConnectRetry = 1;
        configuration.ReconnectRetryPolicy = new NeverRetry();
        ClientVersion.DropWhileAway(configuration);
        return Connect(configuration, endpoint);
    }

    /// <summary>Connections are the client's own affair; the first server's login and TLS are those of all.</summary>
    public static Client.ConnectionMultiplexer OpenForApplication(
        IReadOnlyList<RedisEndpoint> servers, RedisConnectionOptions options)
    {
        var configuration = Configure(servers[0], options);
        foreach (var other in servers.Skip(1))
            AddServer(configuration, other);
        return Connect(configuration, servers[0]);
    }

    private static Client.ConnectionMultiplexer Connect(
        Client.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        try
        {
            return Client.ConnectionMultiplexer.Connect(configuration);
        }
        catch (Exception problem) when (Translate(problem, endpoint) is { } translated)
        {
            throw translated;
        }
    }

    /// <summary>The same failure in this library's words, or null where it is none of the client's.</summary>
    public static RedisException? Translate(Exception problem, RedisEndpoint endpoint) => problem switch
    {
        Client.RedisConnectionException failed =>
            new RedisConnectException(Reason(failed), $"{endpoint}: {failed.Message}", failed),
        Client.RedisServerException refused => new RedisServerException(refused.Message),
        TimeoutException => new RedisTimeoutException($"{endpoint}: {problem.Message}"),
        ObjectDisposedException => new RedisConnectionLostException($"{endpoint}: lost while subscribing", problem),
        _ => null,
    };

    private static Client.ConfigurationOptions Configure(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var configuration = new Client.ConfigurationOptions
        {
            AbortOnConnectFail = true,
            ClientName = endpoint.ClientName ?? options.ClientName,
            ConnectTimeout = Milliseconds(endpoint.ConnectTimeout ?? options.ConnectTimeout),
            DefaultDatabase = endpoint.Database,
            Password = endpoint.Password?.Reveal(),
            SyncTimeout = Milliseconds(endpoint.CommandTimeout ?? options.CommandTimeout),

            // Neither a key is read nor a channel subscribed that the run did not ask for.
            ConfigurationChannel = "",
            TieBreaker = "",
        };
        if (options.IdleTimeout > TimeSpan.Zero)
            configuration.KeepAlive = Math.Max(1, (int)options.IdleTimeout.TotalSeconds);
        AddServer(configuration, endpoint);
        if (endpoint.UseTls)
            ClientTls.Configure(configuration, endpoint);
        ClientVersion.Configure(configuration, endpoint, options);
        return configuration;
    }

    private static void AddServer(Client.ConfigurationOptions configuration, RedisEndpoint endpoint)
    {
        if (endpoint.SocketPath is { } path)
            configuration.EndPoints.Add(new UnixDomainSocketEndPoint(path));
        else
            configuration.EndPoints.Add(endpoint.Host, endpoint.Port);
    }

    private static int Milliseconds(TimeSpan limit) => (int)Math.Clamp(limit.TotalMilliseconds, 1, int.MaxValue);

    private static ConnectFailure Reason(Client.RedisConnectionException failed) => failed.FailureType switch
    {
        Client.ConnectionFailureType.AuthenticationFailure => ConnectFailure.AuthenticationFailed,
        Client.ConnectionFailureType.SocketClosed => ConnectFailure.ClosedByServer,
        Client.ConnectionFailureType.Loading or Client.ConnectionFailureType.ProtocolFailure =>
            ConnectFailure.RefusedByServer,
        _ => ConnectFailure.Unreachable,
    };

    private sealed class NeverRetry : Client.IReconnectRetryPolicy
    {
        public bool ShouldRetry(long currentRetryCount, int timeElapsedMillisecondsSinceLastRetry) => false;
    }
}

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
