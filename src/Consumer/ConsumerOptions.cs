using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Reports.Values;

namespace RedisLatency.Consumer;

internal sealed class ConsumerOptions
{
    public TargetOptions Target { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();

    public TelemetryOptions Telemetry { get; } = new();

    public FleetOptions Fleet { get; } = new();

    /// <summary>The channel that messages come on; null for the one that carries the run's name.</summary>
    public string? Channel { get; set; }

    /// <summary>The channel that echoes go out on; null for the one that carries the run's name.</summary>
    public string? ReplyChannel { get; set; }

    public int Streams { get; set; } = 1;

    /// <summary>How long to serve; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long a lost connection is tried for; null for as long as the Consumer runs.</summary>
    public TimeSpan? ReconnectTimeout { get; set; }

    public ProbeChoice Probe { get; set; } = ProbeChoice.ThroughRedis;

    public bool BusyPoll { get; set; }

    /// <summary>The processor of the first stream's thread; the next ones take the next. Null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held while serving; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }
}

internal sealed record ProbeChoice(bool UsesRedis, ProbeAddress? Udp)
{
    private const string RedisWord = "redis";
    private const string OffWord = "off";

    public static ProbeChoice ThroughRedis { get; } = new(UsesRedis: true, null);

    public static ProbeChoice Off { get; } = new(UsesRedis: false, null);

    public static ValueSyntax<ProbeChoice> Syntax { get; } = new(
        "redis|off|udp://ADDRESS:PORT", Read, choice => choice.ToString());

    public override string ToString() => Udp?.ToString() ?? (UsesRedis ? RedisWord : OffWord);

    private static ValueReading<ProbeChoice> Read(string text)
    {
        if (text.Equals(RedisWord, StringComparison.OrdinalIgnoreCase))
            return ValueReading.Of<ProbeChoice>(ThroughRedis);
        if (text.Equals(OffWord, StringComparison.OrdinalIgnoreCase))
            return ValueReading.Of<ProbeChoice>(Off);
        return ProbeAddress.Parse(text) is { } address
            ? ValueReading.Of<ProbeChoice>(new ProbeChoice(UsesRedis: true, address))
            : ValueReading.Wrong<ProbeChoice>("redis, off, or udp://ADDRESS:PORT with an address of this machine is "
                + "needed, for instance udp://10.0.0.5:7100");
    }
}
