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

    public int Retries;

    public short Operation;

    /// <summary>Which counts it belongs to: its place in the mix, or behind all of them during the warm-up.</summary>
    public short Series;

    public byte Redirections;

    /// <summary>Which of an operation's commands is in flight: 0, or 1 for what follows the first.</summary>
    public byte Stage;

    /// <summary>Whether the hits of its first command are counted; it may be sent again for the second.</summary>
    public bool HasRead;

    /// <summary>Whether it is sent as for a server that has forgotten its script.</summary>
    public bool IsUnprepared;

    public bool HasError;

    /// <summary>Whether that error may pass without anybody changing anything.</summary>
    public bool MayPass;
}
