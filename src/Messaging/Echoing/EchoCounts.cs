namespace RedisLatency.Messaging.Echoing;

/// <summary>
/// What came on a consumer's channel beside frames that belong to a stream; written by its thread alone.
/// </summary>
public sealed class EchoCounts
{
    /// <summary>Messages sent back, of any kind.</summary>
    public long Echoed { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Messages taken and, as their producer asked, not sent back.</summary>
    public long Kept { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Of both, what belonged to a warm-up.</summary>
    public long WarmUp { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Plain decimal counts, sent back unchanged.</summary>
    public long Plain { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Messages that are neither frames nor counts; not answered.</summary>
    public long Foreign { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Frames whose checksum or form does not hold; not answered.</summary>
    public long Corrupted { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Frames of another protocol version; not answered.</summary>
    public long OtherVersion { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>How often the connection was lost.</summary>
    public long ConnectionsLost { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }
}
