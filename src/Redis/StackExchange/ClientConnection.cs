using System.Net.Sockets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>Opens a multiplexer as an endpoint asks, and turns the client's errors into this library's.</summary>
internal static class ClientConnection
{
    /// <summary>Refuses what the client's version lacks; nothing has been opened then.</summary>
    /// <exception cref="UnsupportedByDriverException">It lacks something.</exception>
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
    /// <exception cref="RedisException">The server cannot be used for this.</exception>
    public static RedisEndpoint Rehearse(
        RedisEndpoint endpoint, RedisConnectionOptions options, IReadOnlyList<string> subscribeChannels)
    {
        using var connection = RedisConnection.Open(endpoint, options);
        if (subscribeChannels.Count > 0)
            Subscription.Confirm(connection, subscribeChannels);
        return connection.Endpoint;
    }

    public static Client.ConnectionMultiplexer Open(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        try
        {
            return Client.ConnectionMultiplexer.Connect(Configure(endpoint, options));
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
            ConnectRetry = 1,
            ConnectTimeout = Milliseconds(endpoint.ConnectTimeout ?? options.ConnectTimeout),
            DefaultDatabase = endpoint.Database,
            Password = endpoint.Password?.Reveal(),
            ReconnectRetryPolicy = new NeverRetry(),
            SyncTimeout = Milliseconds(endpoint.CommandTimeout ?? options.CommandTimeout),

            // Neither a key is read nor a channel subscribed that the run did not ask for.
            ConfigurationChannel = "",
            TieBreaker = "",
        };
        if (options.IdleTimeout > TimeSpan.Zero)
            configuration.KeepAlive = Math.Max(1, (int)options.IdleTimeout.TotalSeconds);
        if (endpoint.SocketPath is { } path)
            configuration.EndPoints.Add(new UnixDomainSocketEndPoint(path));
        else
            configuration.EndPoints.Add(endpoint.Host, endpoint.Port);
        if (endpoint.UseTls)
            ClientTls.Configure(configuration, endpoint);
        ClientVersion.Configure(configuration, endpoint, options);
        return configuration;
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
