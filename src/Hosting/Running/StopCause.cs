namespace RedisLatency.Hosting.Running;

/// <summary>Who asked a run to end before its time.</summary>
public enum StopCause
{
    /// <summary>SIGINT, Ctrl-C: the run ends with 130.</summary>
    Interrupt,

    /// <summary>SIGTERM: the run ends with 143.</summary>
    Terminate,

    /// <summary>SIGHUP, the terminal went away: treated as SIGTERM.</summary>
    HangUp,

    /// <summary>A thread of this process failed: the run ends with what its failure means.</summary>
    Failure,
}
