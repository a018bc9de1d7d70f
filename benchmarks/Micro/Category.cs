namespace RedisLatency.Micro;

/// <summary>How often a benchmark's subject runs; a test holds the hot ones to no allocation at all.</summary>
public static class Category
{
    /// <summary>Runs for each message, or while messages are measured: may not allocate.</summary>
    public const string Hot = "hot";

    /// <summary>Runs once per interval, run or connection: states what it allocates.</summary>
    public const string Cold = "cold";
}
