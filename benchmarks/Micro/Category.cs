namespace RedisLatency.Micro;

/// <summary>Whether a benchmark's subject runs once per message; a test holds hot ones to no allocation at all.</summary>
public static class Category
{
    /// <summary>Runs once or more per measured message: may not allocate.</summary>
    public const string Hot = "hot";

    /// <summary>Runs once per interval, run or connection: states what it allocates.</summary>
    public const string Cold = "cold";
}
