namespace RedisLatency.Peers.Probing;

/// <summary>What became of the datagrams that a responder took, each counted once; may be read on any thread.</summary>
public sealed class ProbeResponderCounts
{
    /// <summary>Answered.</summary>
    public long Answered { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Shorter or longer than every datagram of the protocol.</summary>
    public long WrongSize { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Not of the protocol, of another run, or no question.</summary>
    public long Foreign { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Of another version of the protocol.</summary>
    public long OtherVersion { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Questions to another member of the run, on a channel that all share.</summary>
    public long ForAnother { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Sealed with another key, or changed on the way.</summary>
    public long Unauthenticated { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Authentic, and had come before.</summary>
    public long Repeated { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Authentic, and more than may be asked.</summary>
    public long OverRate { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Authentic, and the answer could not be sent.</summary>
    public long Unsent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Everything that was not answered and was meant for this process.</summary>
    public long Refused => WrongSize + Foreign + OtherVersion + Unauthenticated + Repeated + OverRate + Unsent;
}
