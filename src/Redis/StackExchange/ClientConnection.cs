using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>Opens a multiplexer as an endpoint asks, and turns the client's errors into this library's.</summary>
internal static class ClientConnection
{
    public static Client.ConnectionMultiplexer Open(StackExchangeTarget target, string clientName)
    {
        if (ClientVersion.WhatIsMissing(target.EndPoint, target.User) is { } missing)
        {
            throw new UnsupportedByDriverException(
                $"{target}: StackExchange.Redis {ClientVersion.Name} lacks {missing}; use the raw driver, or build "
                + "with a newer one (-p:StackExchangeRedisVersion=3.4.35).");
        }

        var configuration = new Client.ConfigurationOptions
        {
            AbortOnConnectFail = true,
            ClientName = clientName,
            ConfigurationChannel = "",
            ConnectRetry = 1,
            ConnectTimeout = (int)target.ConnectTimeout.TotalMilliseconds,
            Password = target.Password,
            ReconnectRetryPolicy = new NeverRetry(),
            SyncTimeout = (int)target.ConnectTimeout.TotalMilliseconds,
            TieBreaker = "",
        };
        configuration.EndPoints.Add(target.EndPoint);
        ClientVersion.Configure(configuration, target.User);
        try
        {
            return Client.ConnectionMultiplexer.Connect(configuration);
        }
        catch (Exception exception) when (Translate(exception, target.ToString()) is { } translated)
        {
            throw translated;
        }
    }

    /// <summary>The same failure in this library's words, or null where it is none of the client's.</summary>
    public static RedisException? Translate(Exception exception, string endpoint) => exception switch
    {
        Client.RedisConnectionException failed =>
            new RedisConnectException(Reason(failed), $"{endpoint}: {failed.Message}", failed),
        Client.RedisServerException refused => new RedisServerException(refused.Message),
        TimeoutException => new RedisTimeoutException($"{endpoint}: {exception.Message}"),
        ObjectDisposedException => new RedisConnectionLostException($"{endpoint}: lost while subscribing.", exception),
        _ => null,
    };

    private static ConnectFailure Reason(Client.RedisConnectionException failed) => failed.FailureType switch
    {
        Client.ConnectionFailureType.AuthenticationFailure => ConnectFailure.AuthenticationFailed,
        Client.ConnectionFailureType.SocketClosed => ConnectFailure.ClosedByServer,
        Client.ConnectionFailureType.Loading => ConnectFailure.RefusedByServer,
        Client.ConnectionFailureType.ProtocolFailure => ConnectFailure.RefusedByServer,
        _ => ConnectFailure.Refused,
    };

    private sealed class NeverRetry : Client.IReconnectRetryPolicy
    {
        public bool ShouldRetry(long currentRetryCount, int timeElapsedMillisecondsSinceLastRetry) => false;
    }
}
