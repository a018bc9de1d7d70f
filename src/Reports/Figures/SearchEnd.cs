namespace RedisLatency.Reports.Figures;

/// <summary>What ended a search for the highest rate.</summary>
public enum SearchEnd
{
    /// <summary>The latency limit was missed, by what the operations went to.</summary>
    Latency,

    /// <summary>This tool could not send so much: the server may do more.</summary>
    Generator,

    /// <summary>Whether the latency limit was missed is not sure, however long it was measured.</summary>
    Unsure,

    /// <summary>The run ended before the rate was found.</summary>
    Unfinished,
}
