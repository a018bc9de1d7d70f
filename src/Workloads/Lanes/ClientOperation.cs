using RedisLatency.Redis.StackExchange;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <summary>
/// A caller's operation: in flight, or waiting to be sent again. The caller writes it under its worker's lock, but for
/// the time at which it was sent.
/// </summary>
/// <param name="link">The multiplexer that it goes through.</param>
internal sealed class ClientOperation(ClientLink link)
{
    /// <summary>What is counted of it.</summary>
    public InFlightOperation Slot;

    /// <summary>The multiplexer that it goes through.</summary>
    public ClientLink Link => link;

    /// <summary>What is sent next.</summary>
    public ClientRequest Request { get; set; }

    /// <summary>Whether values in the reply are hits and misses.</summary>
    public bool IsRead { get; set; }

    /// <summary>Whether an operation is under way.</summary>
    public bool IsUnderWay { get; set; }

    /// <summary>Whether the server has answered since the phase ended.</summary>
    public bool HasAnswer { get; set; }

    /// <summary>Whether nobody waits for it any more: what comes of it is not looked at.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>How often the caller has paused without success; each pause is longer.</summary>
    public int Pauses { get; set; }
}
