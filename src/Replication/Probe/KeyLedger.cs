namespace RedisLatency.Replication.Probe;

/// <summary>
/// What the writers tell the reader of each key: when it was sent, or why it never will be. Each key has one writer.
/// </summary>
internal sealed class KeyLedger(long keys)
{
    /// <summary>It was due while there was no connection.</summary>
    public const long Unsent = -1;

    /// <summary>The source answered with an error.</summary>
    public const long Refused = -2;

    /// <summary>The most keys of a session: each is accounted for in memory.</summary>
    public const long Most = 10_000_000;

    private readonly long[] _sent = new long[keys];
    private volatile bool _hasEnded;

    /// <summary>How many keys there are.</summary>
    public long Keys => _sent.LongLength;

    /// <summary>Whether no key will be sent any more.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>When a key was sent; zero while it is not, or one of the marks.</summary>
    public long SentOf(long sequence) => Volatile.Read(ref _sent[sequence]);

    /// <summary>Tells when a key is sent, before it is; or a mark.</summary>
    public void Note(long sequence, long sentNs) => Volatile.Write(ref _sent[sequence], sentNs);

    /// <summary>Tells that no key will be sent any more.</summary>
    public void End() => _hasEnded = true;
}
