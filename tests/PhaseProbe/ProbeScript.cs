using System.Globalization;
using RedisLatency.Hosting.Running;

namespace RedisLatency.PhaseProbe;

/// <summary>What the probe does, given as <c>name=value</c> arguments.</summary>
internal sealed record ProbeScript
{
    /// <summary>The phase that waits: for a request to stop; in Drain and Report for a line of input.</summary>
    public RunPhase? Hold { get; private init; }

    /// <summary>The phase that throws.</summary>
    public RunPhase? Throw { get; private init; }

    /// <summary>
    /// Whether it is another thread than the run's that throws: <c>thread</c>, <c>timer</c>, <c>pool</c>.
    /// </summary>
    public string? On { get; private init; }

    /// <summary>What it throws: <c>refused</c>, <c>ours</c>, <c>lost</c>, <c>redis</c>, <c>io</c>, <c>fault</c>.</summary>
    public string Failure { get; private init; } = "fault";

    /// <summary>How long Drain lasts.</summary>
    public TimeSpan Drain { get; private init; }

    /// <summary>What Report returns.</summary>
    public int Verdict { get; private init; }

    /// <summary>The live view while Measure holds: <c>rich</c>, <c>plain</c>, <c>auto</c>.</summary>
    public string? Live { get; private init; }

    /// <summary>How much is said.</summary>
    public Verbosity Verbosity { get; private init; } = Verbosity.Normal;

    public static ProbeScript Parse(string[] arguments)
    {
        var script = new ProbeScript();
        foreach (var argument in arguments)
        {
            var value = argument[(argument.IndexOf('=') + 1)..];
            script = argument[..argument.IndexOf('=')] switch
            {
                "hold" => script with { Hold = Enum.Parse<RunPhase>(value) },
                "throw" => script with { Throw = Enum.Parse<RunPhase>(value) },
                "failure" => script with { Failure = value },
                "on" => script with { On = value },
                "drain" => script with { Drain = TimeSpan.FromSeconds(int.Parse(value, CultureInfo.InvariantCulture)) },
                "verdict" => script with { Verdict = int.Parse(value, CultureInfo.InvariantCulture) },
                "live" => script with { Live = value },
                "verbosity" => script with { Verbosity = Enum.Parse<Verbosity>(value) },
                _ => throw new ArgumentException(argument),
            };
        }

        return script;
    }
}
