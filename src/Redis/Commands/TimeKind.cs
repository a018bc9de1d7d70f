namespace RedisLatency.Redis.Commands;

/// <summary>What a time in a command counts from.</summary>
public enum TimeKind
{
    None,

    /// <summary>1970: a time of the clock.</summary>
    At,

    /// <summary>Now.</summary>
    In,

    /// <summary>Now; 1970 with the option ABSTTL.</summary>
    InOrAt,

    /// <summary>Now behind EX and PX, 1970 behind EXAT and PXAT.</summary>
    Option,
}
