namespace RedisLatency.Hosting.Running;

/// <summary>The phases of a run's life, in their order.</summary>
public enum RunPhase
{
    /// <summary>Options, endpoints, and where each effective value came from.</summary>
    Resolve,

    /// <summary>Connections are opened, rights and server version looked at.</summary>
    Connect,

    /// <summary>The cost of reading the clock, the error of timers, the floor.</summary>
    Calibrate,

    /// <summary>Peers find each other and agree on a start.</summary>
    Rendezvous,

    /// <summary>Load whose results are discarded.</summary>
    WarmUp,

    /// <summary>What the run is for.</summary>
    Measure,

    /// <summary>Nothing new is sent; stragglers count until the receive deadline.</summary>
    Drain,

    /// <summary>Results are written and printed.</summary>
    Report,
}
