namespace RedisLatency.Workloads.Phases;

/// <summary>What the series of a phase are called: in the interval log, in the record and in thresholds.</summary>
internal static class SeriesNames
{
    /// <summary>From the actual send to the last reply, of all operations.</summary>
    public const string Service = "service";

    /// <summary>From the intended send, of all operations of an open loop.</summary>
    public const string Response = "response";

    /// <summary>Sent − intended.</summary>
    public const string Lateness = "lateness";

    /// <summary>How late a thread of this process woke that wanted to every 5 ms.</summary>
    public const string Hiccups = "hiccups";

    /// <summary>The name of one operation's series: <c>read-service</c>.</summary>
    public static string Of(string operation, string series) => $"{operation}-{series}";
}
