namespace RedisLatency.Workloads.Commands;

/// <summary>What a piece of a command stands for: fixed bytes, or what is drawn anew for each operation.</summary>
internal enum CommandPart
{
    Literal,

    Key,

    AnotherKey,

    Value,

    /// <summary>The number of a drawn key in at least twelve digits, as redis-benchmark writes it.</summary>
    Number,

    /// <summary>The name of one of a record's fields, each as likely as another.</summary>
    Field,

    /// <summary>In braces three characters of a cluster's slot; the drawn key says of which.</summary>
    Tag,

    /// <summary>The hash that Java has of the key's text, by which YCSB orders records.</summary>
    KeyHash,

    /// <summary>A whole number between two, each as likely as another.</summary>
    Range,
}
