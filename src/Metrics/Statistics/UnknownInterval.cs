namespace RedisLatency.Metrics.Statistics;

/// <summary>Why a percentile has no interval.</summary>
public enum UnknownInterval
{
    /// <summary>No blocks were kept of this series.</summary>
    NoBlocks,

    /// <summary>The run was too short for as many blocks as are needed.</summary>
    TooFewBlocks,

    /// <summary>So slowly do samples change that hardly any beyond the percentile is independent.</summary>
    TooFewIndependent,

    /// <summary>Latency swings so slowly that the run has too few of its swings.</summary>
    Swings,

    /// <summary>Latency rose or fell over the run.</summary>
    NotStationary,

    /// <summary>It ends among samples that never got a value.</summary>
    MissingSamples,
}
