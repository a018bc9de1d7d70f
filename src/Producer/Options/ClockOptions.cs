using RedisLatency.Peers.Lanes;

namespace RedisLatency.Producer.Options;

/// <summary>How one-way latency is found out, and what may be taken for granted of it.</summary>
internal sealed class ClockOptions
{
    public ClaimUse Claims { get; set; } = ClaimUse.Auto;

    public ProbeChoice Probe { get; set; } = new(ProbeMode.Auto);

    /// <summary>Pairs of probes per second; null for the default of what carries them.</summary>
    public double? ProbeRate { get; set; }

    /// <summary>How far producer and consumer are apart at least, in kilometres; null where nobody says.</summary>
    public double? FloorDistance { get; set; }

    /// <summary>The least time that a message takes each way; null where nobody says.</summary>
    public FloorTimes? FloorTime { get; set; }

    public EchoMode Echo { get; set; } = EchoMode.On;

    /// <summary>Whether the stamps of every message are kept in a file.</summary>
    public bool Stamps { get; set; }
}

/// <summary>Whether what hosts claim of their clocks narrows the bound of one-way latency.</summary>
internal enum ClaimUse
{
    /// <summary>Every accepted claim, of UTC and of a common clock; probes may refute them.</summary>
    Auto,

    None,
}

/// <summary>Whether consumers send messages back.</summary>
internal enum EchoMode
{
    On,

    /// <summary>They do not, and measure the way to them alone.</summary>
    Off,
}

/// <summary>The least time that a message takes each way.</summary>
internal readonly record struct FloorTimes(TimeSpan Forward, TimeSpan Back);

/// <summary>What carries clock probes beside the messages, and where to.</summary>
internal readonly record struct ProbeChoice(ProbeMode Mode, ProbeAddress? Address = null);

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
