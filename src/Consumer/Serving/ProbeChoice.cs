using RedisLatency.Peers.Lanes;
using RedisLatency.Reports.Values;

namespace RedisLatency.Consumer.Serving;

/// <summary>How Producers may ask for this process's time.</summary>
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
