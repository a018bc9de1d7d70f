#if !STACKEXCHANGE_REDIS_2_OR_LATER
using System.Net;
using System.Net.Sockets;
#endif
using System.Reflection;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>What differs between the client's versions: docs/decisions/0003-stackexchange-redis-version.md.</summary>
internal static class ClientVersion
{
    public static string Name { get; } = Read(typeof(Client.ConnectionMultiplexer).Assembly);

#if STACKEXCHANGE_REDIS_2_OR_LATER
    public static string? WhatIsMissing(RedisEndpoint endpoint, RedisConnectionOptions options) => null;

    public static void Configure(
        Client.ConfigurationOptions configuration, RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        configuration.User = endpoint.User;
        if (options.Protocol != RespPreference.Auto)
        {
            configuration.Protocol = options.Protocol == RespPreference.Resp3
                ? Client.RedisProtocol.Resp3
                : Client.RedisProtocol.Resp2;
        }
    }

    /// <summary>Publishes would wait in a backlog while the connection is away, and go out late.</summary>
    public static void DropWhileAway(Client.ConfigurationOptions configuration) =>
        configuration.BacklogPolicy = Client.BacklogPolicy.FailFast;

    public static int Protocol(Client.IConnectionMultiplexer multiplexer) =>
        multiplexer.GetServer(multiplexer.GetEndPoints()[0]).Protocol == Client.RedisProtocol.Resp3 ? 3 : 2;

    /// <summary>
    /// Subscribes, and returns once the server has confirmed. Handlers given to Subscribe itself run unordered since
    /// 2.0, one item of the thread pool each: the queue runs them in the order of the channel.
    /// </summary>
    public static void Subscribe(
        Client.IConnectionMultiplexer multiplexer, Client.RedisChannel channel, Action<Client.RedisValue> handler) =>
        multiplexer.GetSubscriber().Subscribe(channel).OnMessage(message => handler(message.Message));
#else
    public static string? WhatIsMissing(RedisEndpoint endpoint, RedisConnectionOptions options) =>
        endpoint.SocketPath is not null ? "Unix sockets"
        : IPAddress.TryParse(endpoint.Host, out var address) && address.AddressFamily == AddressFamily.InterNetworkV6
            ? "IPv6 addresses"
        : endpoint.User is not (null or "default") ? "ACL users (it sends the password alone)"
        : options.Protocol == RespPreference.Resp3 ? "RESP3"
        : null;

    public static void Configure(
        Client.ConfigurationOptions configuration, RedisEndpoint endpoint, RedisConnectionOptions options)
    {
    }

    /// <summary>Drops what cannot be sent at once, as this version always does.</summary>
    public static void DropWhileAway(Client.ConfigurationOptions configuration)
    {
    }

    public static int Protocol(Client.ConnectionMultiplexer multiplexer) => 2;

    /// <summary>Subscribes, and returns once the server has confirmed.</summary>
    public static void Subscribe(
        Client.ConnectionMultiplexer multiplexer, Client.RedisChannel channel, Action<Client.RedisValue> handler)
    {
        // The default, said here because the count of reordered messages stands on it.
        multiplexer.PreserveAsyncOrder = true;
        multiplexer.GetSubscriber().Subscribe(channel, (_, value) => handler(value));
    }
#endif

    // The assembly's own version is only the major one from 2.0 on.
    private static string Read(Assembly assembly)
    {
        var name = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? assembly.GetName().Version!.ToString();
        return name.IndexOf('+') is var end and >= 0 ? name[..end] : name;
    }
}
