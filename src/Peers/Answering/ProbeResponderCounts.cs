namespace RedisLatency.Peers.Answering;

/// <summary>What a responder got, each datagram in one of these; may be read on any thread.</summary>
public sealed class ProbeResponderCounts
{
    private long _answered;
    private long _wrongSize;
    private long _foreign;
    private long _otherVersion;
    private long _forAnother;
    private long _unauthenticated;
    private long _repeated;
    private long _overRate;
    private long _unsent;

    /// <summary>Answered.</summary>
    public long Answered { get => Volatile.Read(ref _answered); internal set => Volatile.Write(ref _answered, value); }

    /// <summary>Shorter or longer than every datagram of the protocol.</summary>
    public long WrongSize
    {
        get => Volatile.Read(ref _wrongSize);
        internal set => Volatile.Write(ref _wrongSize, value);
    }

    /// <summary>Not of the protocol, of another run, or no question.</summary>
    public long Foreign { get => Volatile.Read(ref _foreign); internal set => Volatile.Write(ref _foreign, value); }

    /// <summary>Of another version of the protocol.</summary>
    public long OtherVersion
    {
        get => Volatile.Read(ref _otherVersion);
        internal set => Volatile.Write(ref _otherVersion, value);
    }

    /// <summary>Questions to another member of the run, on a channel that all share.</summary>
    public long ForAnother
    {
        get => Volatile.Read(ref _forAnother);
        internal set => Volatile.Write(ref _forAnother, value);
    }

    /// <summary>Sealed with another key, or changed on the way.</summary>
    public long Unauthenticated
    {
        get => Volatile.Read(ref _unauthenticated);
        internal set => Volatile.Write(ref _unauthenticated, value);
    }

    /// <summary>Authentic, and had come before.</summary>
    public long Repeated { get => Volatile.Read(ref _repeated); internal set => Volatile.Write(ref _repeated, value); }

    /// <summary>Authentic, and more than may be asked.</summary>
    public long OverRate { get => Volatile.Read(ref _overRate); internal set => Volatile.Write(ref _overRate, value); }

    /// <summary>Authentic, and the answer could not be sent.</summary>
    public long Unsent { get => Volatile.Read(ref _unsent); internal set => Volatile.Write(ref _unsent, value); }

    /// <summary>Everything that was not answered and was meant for this process.</summary>
    public long Refused => WrongSize + Foreign + OtherVersion + Unauthenticated + Repeated + OverRate + Unsent;
}
