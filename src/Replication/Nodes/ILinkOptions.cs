namespace RedisLatency.Replication.Nodes;

/// <summary>What the two ends of a replication are looked at with, whatever is measured between them.</summary>
internal interface ILinkOptions
{
    /// <summary>What keys begin with.</summary>
    string Prefix { get; }

    /// <summary>How long keys live.</summary>
    TimeSpan Expiry { get; }

    /// <summary>How long the first key may take before the two are taken for not linked.</summary>
    TimeSpan LinkTimeout { get; }

    /// <summary>From one look at the state of both ends to the next; zero never looks.</summary>
    TimeSpan WatchInterval { get; }

    /// <summary>From one WAIT to the next; zero for none.</summary>
    TimeSpan WaitInterval { get; }
}
