using RedisLatency.Hosting.Output;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Hosting.Targets;

/// <summary>What the verb <c>check</c> of every service says of a server that it has reached.</summary>
public static class ReachedServer
{
    /// <summary>Says it of a connection, and asks the server for its facts.</summary>
    /// <exception cref="Redis.RedisException">The connection is gone.</exception>
    public static ServerFacts Tell(ResolvedTarget target, RedisConnection control, StandardOutput output)
    {
        var facts = ServerFacts.Read(control);
        Tell(
            target.Endpoint.ToString(), $"RESP{control.Protocol} over {control.TransportDescription}", facts, output);
        return facts;
    }

    /// <summary>Says it of what is known already.</summary>
    /// <param name="endpoint">Where the server is, without a password.</param>
    /// <param name="connection">How it is spoken to: <c>RESP3 over tcp …</c>.</param>
    /// <param name="facts">What it says of itself.</param>
    /// <param name="output">Where to.</param>
    public static void Tell(string endpoint, string connection, ServerFacts facts, StandardOutput output)
    {
        output.WriteLine($"ok    {endpoint} is reached: {connection}");
        output.WriteLine(facts.UnavailableBecause is { } why
            ? $"note  the server does not tell what it is: {why}"
            : $"ok    {facts.Name} {facts.Version} {facts.Mode}, {facts.Role}");
    }
}
