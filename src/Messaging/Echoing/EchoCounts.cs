namespace RedisLatency.Messaging.Echoing;

/// <summary>
/// What came on a consumer's channel beside frames that belong to a stream; written by its thread alone.
/// </summary>
public sealed class EchoCounts
{
    private long _echoed;
    private long _kept;
    private long _plain;
    private long _foreign;
    private long _corrupted;
    private long _otherVersion;
    private long _connectionsLost;

    /// <summary>Messages sent back, of any kind.</summary>
    public long Echoed { get => Volatile.Read(ref _echoed); internal set => Volatile.Write(ref _echoed, value); }

    /// <summary>Messages taken and, as their producer asked, not sent back.</summary>
    public long Kept { get => Volatile.Read(ref _kept); internal set => Volatile.Write(ref _kept, value); }

    /// <summary>Plain decimal counts, sent back unchanged.</summary>
    public long Plain { get => Volatile.Read(ref _plain); internal set => Volatile.Write(ref _plain, value); }

    /// <summary>Messages that are neither frames nor counts; not answered.</summary>
    public long Foreign { get => Volatile.Read(ref _foreign); internal set => Volatile.Write(ref _foreign, value); }

    /// <summary>Frames whose checksum or form does not hold; not answered.</summary>
    public long Corrupted
    {
        get => Volatile.Read(ref _corrupted);
        internal set => Volatile.Write(ref _corrupted, value);
    }

    /// <summary>Frames of another protocol version; not answered.</summary>
    public long OtherVersion
    {
        get => Volatile.Read(ref _otherVersion);
        internal set => Volatile.Write(ref _otherVersion, value);
    }

    /// <summary>How often the connection was lost.</summary>
    public long ConnectionsLost
    {
        get => Volatile.Read(ref _connectionsLost);
        internal set => Volatile.Write(ref _connectionsLost, value);
    }
}
