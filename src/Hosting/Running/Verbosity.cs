namespace RedisLatency.Hosting.Running;

/// <summary>How much a process says on standard error.</summary>
public enum Verbosity
{
    /// <summary>Errors only (<c>--quiet</c>).</summary>
    Quiet,

    /// <summary>What a user should know, warnings and errors.</summary>
    Normal,

    /// <summary>Every phase, connection and retry, and where errors come from (<c>--verbose</c>).</summary>
    Verbose,
}
