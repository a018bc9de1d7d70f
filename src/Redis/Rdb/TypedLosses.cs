namespace RedisLatency.Redis.Rdb;

/// <summary>What commands could not carry.</summary>
[Flags]
public enum TypedLosses
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Times to live of a hash's fields: the target knows none.</summary>
    FieldExpiry = 1,

    /// <summary>Consumers of a stream's groups that had nothing pending: the target cannot be given them.</summary>
    IdleConsumers = 2,

    /// <summary>Entries given back by consumers (XNACK), which no command can make.</summary>
    UnownedPending = 4,

    /// <summary>Producers' ids by which a stream knows duplicates.</summary>
    ProducerIds = 8,

    /// <summary>A stream's counts of entries added and read: the target has none.</summary>
    StreamCounts = 16,

    /// <summary>
    /// Perhaps pending entries that were deleted from a stream: it was too long to find out which are. To the XCLAIM of
    /// such a one a server answers with an empty array.
    /// </summary>
    DeletedPending = 32,

    /// <summary>
    /// What modules had attached to the key of a dump; that of a file's key <see cref="RdbEntry"/> tells.
    /// </summary>
    ModuleMetadata = 64,
}
