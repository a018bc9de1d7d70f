using RedisLatency.Redis.StackExchange;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <summary>
/// The operation that a caller of a client has in flight. The caller writes it under its worker's lock, but for the
/// time at which it was sent.
/// </summary>
internal sealed class ClientOperation(ClientLink link)
{
    public InFlightOperation Slot;

    public ClientLink Link => link;

    /// <summary>Whom the operation was given to: the link may have another client by now.</summary>
    public ApplicationClient? SentBy { get; set; }

    public ClientRequest Request { get; set; }

    public bool IsRead { get; set; }

    public bool IsInFlight { get; set; }

    public bool HasAnswer { get; set; }

    /// <summary>Whether it was waited for in vain, on a connection that was not lost.</summary>
    public bool IsUnanswered { get; set; }

    /// <summary>Whether nobody waits for it any more: what comes of it is not looked at.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>How often the caller has paused without success; each pause is longer.</summary>
    public int Pauses { get; set; }
}
