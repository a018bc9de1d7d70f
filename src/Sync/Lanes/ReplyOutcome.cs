namespace RedisLatency.Sync.Lanes;

/// <summary>What becomes of a request, by what the target answers. There is no other.</summary>
internal enum ReplyOutcome
{
    /// <summary>It was carried out: the next one.</summary>
    Done,

    /// <summary>BUSYKEY: the key is there, and is replaced, stays, or ends the run, as was asked.</summary>
    BusyKey,

    /// <summary>MOVED: it is sent to the server that has the slot, by a new map.</summary>
    Moved,

    /// <summary>ASK: it is sent to the server to which the slot moves, behind ASKING.</summary>
    Asking,

    /// <summary>LOADING, BUSY, OOM, READONLY, CLUSTERDOWN …: it is sent again after a pause, for a while.</summary>
    TryLater,

    /// <summary>Anything else: a value that RESTORE does not take is written by commands; else the run ends.</summary>
    Refused,
}
