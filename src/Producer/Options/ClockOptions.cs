using RedisLatency.Peers.Lanes;

namespace RedisLatency.Producer.Options;

/// <summary>How one-way latency is found out, and what may be taken for granted of it.</summary>
internal sealed class ClockOptions
{
    /// <summary>Whether what hosts claim of their clocks narrows the bound.</summary>
    public ClaimUse Claims { get; set; } = ClaimUse.Auto;

    /// <summary>What carries clock probes beside the messages.</summary>
    public ProbeChoice Probe { get; set; } = new(ProbeMode.Auto);

    /// <summary>Pairs of probes per second; null for the default of what carries them.</summary>
    public double? ProbeRate { get; set; }

    /// <summary>How far producer and consumer are apart at least, in kilometres; null where nobody says.</summary>
    public double? FloorDistance { get; set; }

    /// <summary>The least time that a message takes each way; null where nobody says.</summary>
    public FloorTimes? FloorTime { get; set; }

    /// <summary>Whether consumers send messages back.</summary>
    public EchoMode Echo { get; set; } = EchoMode.On;

    /// <summary>Whether the stamps of every message are kept in a file.</summary>
    public bool Stamps { get; set; }
}

/// <summary>Whether what hosts claim of their clocks narrows the bound of one-way latency.</summary>
internal enum ClaimUse
{
    /// <summary>Every accepted claim, of UTC and of a common clock; probes may refute them.</summary>
    Auto,

    /// <summary>None: probes alone.</summary>
    None,
}

/// <summary>Whether consumers send messages back.</summary>
internal enum EchoMode
{
    /// <summary>They do.</summary>
    On,

    /// <summary>They do not, and measure the way to them alone.</summary>
    Off,
}

/// <summary>The least time that a message takes each way.</summary>
/// <param name="Forward">To the consumer.</param>
/// <param name="Back">Back to the producer.</param>
internal readonly record struct FloorTimes(TimeSpan Forward, TimeSpan Back);

/// <summary>What carries clock probes beside the messages, and where to.</summary>
/// <param name="Mode">What.</param>
/// <param name="Address">Where the consumer answers over UDP; null otherwise.</param>
internal readonly record struct ProbeChoice(ProbeMode Mode, ProbeAddress? Address = null);

/// <summary>What carries clock probes beside the messages.</summary>
internal enum ProbeMode
{
    /// <summary>Redis, where the consumer answers there and the two are not known to share a clock.</summary>
    Auto,

    /// <summary>Nothing: echoed messages are the only probes.</summary>
    Off,

    /// <summary>Redis, wherever the consumer answers there.</summary>
    Redis,

    /// <summary>UDP, directly from host to host; Redis where nothing answers there.</summary>
    Udp,
}
