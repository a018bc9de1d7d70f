namespace RedisLatency.Workloads.Commands;

/// <summary>The core workloads of YCSB (its files <c>workloads/workloada</c> to <c>workloadf</c>).</summary>
internal enum YcsbWorkload
{
    A,

    /// <summary>95 % reads, 5 % updates; zipfian.</summary>
    B,

    C,

    /// <summary>95 % reads, 5 % inserts; what was inserted last is read most.</summary>
    D,

    /// <summary>95 % scans of up to 100 records, 5 % inserts; zipfian.</summary>
    E,

    /// <summary>Half reads, half read-modify-writes; zipfian.</summary>
    F,
}
