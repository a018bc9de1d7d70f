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
