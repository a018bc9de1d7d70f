namespace RedisLatency.Hosting.Options;

/// <summary>How another tool reads its command line. In all of them the last of several values counts.</summary>
public enum OptionDialect
{
    /// <summary>Whole names, values in the next word; the first other word ends the options.</summary>
    Plain,

    /// <summary>Whole names, values in the next word; other words stand anywhere.</summary>
    Mixed,

    /// <summary>As getopt_long: values may be joined, long names cut short, other words stand anywhere.</summary>
    Getopt,
}
