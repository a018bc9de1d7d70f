using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Rdb;

/// <summary>What a value is, whatever its encoding.</summary>
public enum RdbKind
{
    /// <summary>A type that is not known here: its length is not either.</summary>
    Unknown,

    /// <summary>A string.</summary>
    [SuppressMessage("Naming", "CA1720", Justification = "The field's own word.")]
    String,

    /// <summary>A list.</summary>
    List,

    /// <summary>A set.</summary>
    Set,

    /// <summary>A sorted set.</summary>
    SortedSet,

    /// <summary>A hash, with or without times to live of its fields.</summary>
    Hash,

    /// <summary>A stream with its groups.</summary>
    Stream,

    /// <summary>A sparse array (Redis 8.8).</summary>
    Array,

    /// <summary>A module's: it can be passed on as it is, and not taken apart.</summary>
    Module,
}
