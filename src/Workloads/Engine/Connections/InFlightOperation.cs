namespace RedisLatency.Workloads.Engine.Connections;

/// <summary>An operation that was sent and has not ended.</summary>
internal struct InFlightOperation
{
    /// <summary>When it was sent for the first time; zero until then.</summary>
    public long Sent;

    /// <summary>When the schedule wanted it out; in a closed loop when it was sent.</summary>
    public long Intended;

    /// <summary>The number of its key.</summary>
    public long Key;

    /// <summary>How many of its replies have not come.</summary>
    public int RepliesLeft;

    /// <summary>Its place in the mix.</summary>
    public short Operation;

    /// <summary>Which counts it belongs to: its place in the mix, or behind all of them during the warm-up.</summary>
    public short Series;

    /// <summary>How often it was sent again after an error.</summary>
    public short Retries;

    /// <summary>How often it was sent to another node.</summary>
    public byte Redirections;

    /// <summary>Which of an operation's commands is in flight: 0, or 1 for what follows the first.</summary>
    public byte Stage;

    /// <summary>Whether one of its replies was an error.</summary>
    public bool HasError;

    /// <summary>Whether that error may pass without anybody changing anything.</summary>
    public bool MayPass;
}
