using RedisLatency.Peers.Lanes;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer.Options;

/// <summary>Reads <c>auto</c>, <c>off</c>, <c>redis</c> or <c>udp://HOST:PORT</c>.</summary>
internal static class ProbeSyntax
{
    public static ValueSyntax<ProbeChoice> Create() => new("auto|off|redis|udp://HOST:PORT", Read, Write);

    private static ValueReading<ProbeChoice> Read(string text)
    {
        switch (text)
        {
            case "auto":
                return ValueReading.Of(new ProbeChoice(ProbeMode.Auto));
            case "off":
                return ValueReading.Of(new ProbeChoice(ProbeMode.Off));
            case "redis":
                return ValueReading.Of(new ProbeChoice(ProbeMode.Redis));
        }

        return ProbeAddress.Parse(text) switch
        {
            null => ValueReading.Wrong<ProbeChoice>("auto, off, redis or udp://HOST:PORT is needed"),
            { Port: 0 } => ValueReading.Wrong<ProbeChoice>("the port that the consumer listens on is needed"),
            { IsAnyHost: true } => ValueReading.Wrong<ProbeChoice>("the host that the consumer listens on is needed"),
            { } address => ValueReading.Of(new ProbeChoice(ProbeMode.Udp, address)),
        };
    }

    private static string Write(ProbeChoice choice) =>
        choice.Address?.ToString() ?? choice.Mode.ToString().ToLowerInvariant();
}
