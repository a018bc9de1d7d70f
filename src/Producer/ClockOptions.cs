using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer;

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

    public bool Stamps { get; set; }
}

/// <summary>Whether what hosts claim of their clocks narrows the bound of one-way latency.</summary>
internal enum ClaimUse
{
    /// <summary>Every accepted claim, of UTC and of a common clock; probes may refute them.</summary>
    Auto,

    None,
}

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

internal static class ClockCatalogue
{
    public static OptionCatalogue<ClockOptions> Create() =>
        new OptionCatalogue<ClockOptions>("Producer")
            .Group("One way")
            .Add("--claims", o => o.Claims, Syntax.Choice<ClaimUse>(),
                "Whether to trust what hosts report about their clocks (UTC, a shared clock)")
            .Add("--probe", o => o.Probe, ProbeSyntax.Create(),
                "How clock probes travel; auto is redis, or off if both processes share a clock")
            .Add("--probe-rate", o => o.ProbeRate, Syntax.Number(0.1, 500, "pairs per second").Optional(),
                "How many pairs of clock probes to send per second",
                shownDefault: "25 over UDP, 10 through Redis")
            .Add("--floor-distance", o => o.FloorDistance, DistanceSyntax.Create().Optional(),
                "Distance between the two hosts; no message is faster than light in a vacuum")
            .Add("--floor-time", o => o.FloorTime, FloorTimeSyntax.Create().Optional(),
                "The shortest possible time of a message, for both directions or for each; it is not checked")
            .Add("--echo", o => o.Echo, Syntax.Choice<EchoMode>(),
                "Whether consumers send messages back; with off, they measure the way to them")
            .Add("--stamps", o => o.Stamps, Syntax.Flag,
                "Keep the five stamps of every message in stamps.csv");
}

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

/// <summary>Reads the floors of both ways, <c>13.5ms</c>, or of each, <c>13.5ms,19ms</c>.</summary>
internal static class FloorTimeSyntax
{
    private static readonly ValueSyntax<TimeSpan> Time = Syntax.Duration(most: TimeSpan.FromMinutes(1));

    public static ValueSyntax<FloorTimes> Create() => new("DURATION[,DURATION]", Read, Write) { Limits = Time.Limits };

    private static ValueReading<FloorTimes> Read(string text)
    {
        var parts = text.Split(',');
        var forward = Time.Read(parts[0]);
        var back = parts.Length > 1 ? Time.Read(parts[1]) : forward;
        return parts.Length > 2
            ? ValueReading.Wrong<FloorTimes>("one time for both ways is needed, or two: 13.5ms,19ms")
            : (forward.Problem ?? back.Problem) is { } problem
                ? ValueReading.Wrong<FloorTimes>(problem)
                : ValueReading.Of(new FloorTimes(forward.Value, back.Value));
    }

    private static string Write(FloorTimes floors) => floors.Forward == floors.Back
        ? Time.Write(floors.Forward)!
        : $"{Time.Write(floors.Forward)},{Time.Write(floors.Back)}";
}

/// <summary>Reads a distance in kilometres: <c>1000km</c>, <c>4047.2km</c>.</summary>
internal static class DistanceSyntax
{
    private const string Unit = "km";

    // Half the circumference of the Earth: nothing on it is farther away.
    private const double Farthest = 20_038;

    public static ValueSyntax<double> Create() => new("KILOMETRES", Read, Write) { Limits = "at most 20,038km" };

    private static ValueReading<double> Read(string text)
    {
        if (!text.EndsWith(Unit, StringComparison.Ordinal) || !double.TryParse(
            text.AsSpan(0, text.Length - Unit.Length),
            NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture,
            out var kilometres))
        {
            return ValueReading.Wrong<double>("a distance with its unit is needed, for instance 1000km");
        }

        return kilometres <= Farthest
            ? ValueReading.Of(kilometres)
            : ValueReading.Wrong<double>("at most 20,038km, half way round the Earth");
    }

    private static string Write(double kilometres) => kilometres.ToString("0.###", CultureInfo.InvariantCulture) + Unit;
}
