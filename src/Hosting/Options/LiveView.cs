namespace RedisLatency.Hosting.Options;

/// <summary>What is shown while a run goes on.</summary>
public enum LiveView
{
    /// <summary>A table on a terminal, lines where output is redirected.</summary>
    Auto,

    /// <summary>A table that is drawn over.</summary>
    Rich,

    Plain,

    /// <summary>Nothing; the reference for published numbers.</summary>
    None,
}
