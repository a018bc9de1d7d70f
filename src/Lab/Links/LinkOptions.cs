using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;

namespace RedisLatency.Lab.Links;

internal sealed class LinkOptions
{
    public string? Listen { get; set; }

    public string? To { get; set; }

    /// <summary>UDP routes: <c>127.0.0.1:7002=127.0.0.1:7777</c>.</summary>
    public IReadOnlyList<string> Udp { get; set; } = [];

    /// <summary>A file that holds a profile, or the profile itself; null for none.</summary>
    public string? Profile { get; set; }

    /// <summary>A delay in place of a profile: <c>14ms</c>, or each way by itself <c>14ms/20ms</c>.</summary>
    public string? Delay { get; set; }

    public string? Truth { get; set; }

    /// <summary>How long the link is there; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    public bool Quiet { get; set; }

    public bool Verbose { get; set; }

    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}

internal static class LinkCatalogue
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public static OptionCatalogue<LinkOptions> Create() => new OptionCatalogue<LinkOptions>("Link")
        .Group("Routes")
        .Add("--listen", o => o.Listen, Syntax.OptionalText("ADDRESS:PORT", AddressSyntax.Problem),
            "Where TCP connections are taken")
        .Add("--to", o => o.To, Syntax.OptionalText("HOST:PORT", AddressSyntax.Problem),
            "Where they are taken to")
        .AddList("--udp", o => o.Udp, Syntax.Text("ADDRESS:PORT=HOST:PORT", AddressSyntax.RouteProblem),
            "Where datagrams are taken, and where to")
        .Group("What the link does")
        .Add("--profile", o => o.Profile, Syntax.OptionalText("FILE|JSON"),
            "The profile: a file, or the JSON itself", shownDefault: "none: no delay")
        .Add("--delay", o => o.Delay, Syntax.OptionalText("DURATION[/DURATION]", DelaySyntax.Problem),
            "In place of a profile: the delay of both ways, or of forward and back")
        .Add("--duration -d", o => o.Duration, Syntax.Duration(Shortest).Optional(),
            "How long the link is there", shownDefault: "until stopped")
        .Group("Output")
        .Add("--truth", o => o.Truth, Syntax.OptionalText("FILE"),
            "Write what was really done to each chunk, as CSV")
        .Add("--quiet -q", o => o.Quiet, Syntax.Flag, "Print only results and errors")
        .Add("--verbose -v", o => o.Verbose, Syntax.Flag, "Print more, and where in the code an error arose")
        .Rule(["--listen", "--to"], o => o.Listen is null != o.To is null ? "give both, or neither" : null)
        .Rule(["--listen", "--udp"], o => o.Listen is null && o.Udp.Count == 0
            ? "the link needs a route; type for instance --listen 127.0.0.1:7001 --to 127.0.0.1:6379 --delay 14ms"
            : null)
        .Rule(["--profile", "--delay"], o => o.Profile is not null && o.Delay is not null
            ? "a profile has its delays in itself; use only one of them"
            : null)
        .Rule(["--quiet", "--verbose"], o => o.Quiet && o.Verbose ? "use only one of them" : null);
}
