namespace RedisLatency.Replication.Probe;

/// <summary>Finds out when keys are at the destination.</summary>
internal interface IKeyReader
{
    /// <summary>Keys that are being looked for.</summary>
    int Pending { get; }

    /// <summary>How often the destination was asked; zero where it tells by itself.</summary>
    long Polls { get; }

    /// <summary>Keys that were there although no push told of them.</summary>
    long Unpushed { get; }

    /// <summary>Reads until every key is accounted for.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">The destination went away for good.</exception>
    void Run();
}
