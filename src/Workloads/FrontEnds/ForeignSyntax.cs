namespace RedisLatency.Workloads.FrontEnds;

/// <summary>How a tool reads its command line.</summary>
internal enum ForeignSyntax
{
    /// <summary>Whole names, values in the next word; the first other word ends the options.</summary>
    Plain,

    /// <summary>Whole names, values in the next word; other words stand anywhere.</summary>
    Mixed,

    /// <summary>As getopt_long: values may be joined, long names cut short, other words stand anywhere.</summary>
    Getopt,
}
