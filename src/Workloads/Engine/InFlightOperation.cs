using RedisLatency.Redis;

namespace RedisLatency.Workloads.Engine;

/// <summary>An operation that was sent and has not ended.</summary>
internal struct InFlightOperation
{
    /// <summary>When first sent, or when it would have been had its server been there; zero until then.</summary>
    public long Sent;

    /// <summary>When last sent, from when its reply may be late. Zero while it waits to be sent again.</summary>
    public long LastSent;

    /// <summary>When the schedule wanted it out; in a closed loop when it was sent.</summary>
    public long Intended;

    public long Key;

    public int RepliesLeft;

    /// <summary>How many replies its request has, and how many bytes; zero while it has yet to be written.</summary>
    public int Replies;

    public int RequestLength;

    /// <summary>How many elements the array in its reply must have; zero where nobody knows.</summary>
    public int Elements;

    public int Retries;

    public short Operation;

    /// <summary>Which counts it belongs to: its place in the mix, or behind all of them during the warm-up.</summary>
    public short Series;

    /// <summary>The slot of its key in a cluster; -1 where any server will do.</summary>
    public short Slot;

    /// <summary>Followed one after the other, as RequestRetry counts them.</summary>
    public byte Redirections;

    /// <summary>Which of an operation's commands is in flight: 0, or 1 for what follows the first.</summary>
    public byte Stage;

    /// <summary>Whether ASKING stands before its request.</summary>
    public bool IsAsking;

    /// <summary>Whether it is sent as for a server that has forgotten its script.</summary>
    public bool IsUnprepared;

    /// <summary>The first error among its replies since it was sent last.</summary>
    public ErrorKind Error;

    public readonly bool HasError => Error != ErrorKind.None;
}
