namespace RedisLatency.Sync.Verify;

internal sealed class VerifyOptions
{
    /// <summary>Whether values are left alone, and only their types, lengths and times are compared.</summary>
    public bool KeysOnly { get; set; }

    /// <summary>Which share of the keys, the same ones each time.</summary>
    /// <value>The default is all of them.</value>
    public double Sample { get; set; } = 1;

    /// <summary>For how many rounds a difference must stand.</summary>
    public int Rounds { get; set; } = 3;

    /// <summary>How long a round waits for what is under way.</summary>
    public TimeSpan Pause { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How far two times of one key may be apart.</summary>
    public TimeSpan TimeTolerance { get; set; } = TimeSpan.FromSeconds(1);

    public string? Differences { get; set; }
}
