using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Values;

namespace RedisLatency.Lab.SelfTest;

internal sealed class SelfTestOptions
{
    public bool Short { get; set; }

    /// <summary>The rows to live; empty for all.</summary>
    public IReadOnlyList<string> Only { get; set; } = [];

    public int Jobs { get; set; } = 1;

    public bool AllowSkips { get; set; }

    /// <summary>The Producer to test; null for the one that was built with the Lab.</summary>
    public string? Producer { get; set; }

    public string? Consumer { get; set; }

    public string? Redis { get; set; }

    /// <summary>Where the results of the runs are kept; null for nowhere.</summary>
    public string? Keep { get; set; }

    public OutputFormat Format { get; set; } = OutputFormat.Text;

    public bool Quiet { get; set; }

    public bool Verbose { get; set; }

    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}

internal static class SelfTestCatalogue
{
    public static OptionCatalogue<SelfTestOptions> Create() => new OptionCatalogue<SelfTestOptions>("SelfTest")
        .Group("Rows")
        .Add("--short", o => o.Short, Syntax.Flag, "Measure for ten seconds in each row instead of a minute")
        .AddList("--only", o => o.Only, Syntax.Text("ROW", RowProblem), "Live only this row", shownDefault: "all")
        .Add("--jobs", o => o.Jobs, Syntax.SmallCount(1, 16),
            "How many rows run at once; those that judge microseconds run alone")
        .Add("--allow-skips", o => o.AllowSkips, Syntax.Flag,
            "Do not fail for rows that this machine cannot run")
        .Group("Programs")
        .Add("--producer", o => o.Producer, Syntax.OptionalText("PATH", FileProblem),
            "The Producer to test, a program or a .dll", shownDefault: "the one built with the Lab")
        .Add("--consumer", o => o.Consumer, Syntax.OptionalText("PATH", FileProblem),
            "The Consumer to test", shownDefault: "the one built with the Lab")
        .Add("--redis", o => o.Redis, Syntax.OptionalText("ENDPOINT", EndpointProblem),
            "A server to test through, without a password", shownDefault: "one of the Lab's own, in each row",
            mask: EndpointSyntax.Mask)
        .Group("Output")
        .Add("--keep", o => o.Keep, Syntax.OptionalText("FOLDER"), "Keep the results of all runs there")
        .Add("--format", o => o.Format, Syntax.Choice<OutputFormat>(), "How the table is printed")
        .Add("--quiet -q", o => o.Quiet, Syntax.Flag, "Print only results and errors")
        .Add("--verbose -v", o => o.Verbose, Syntax.Flag, "Print more, and where in the code an error arose")
        .Rule(["--quiet", "--verbose"], o => o.Quiet && o.Verbose ? "use only one of them" : null);

    private static string? RowProblem(string name)
    {
        var names = RowCatalogue.All.Select(row => row.Name).ToArray();
        return names.Contains(name) ? null
            : NearestName.Of(name, names) is { } near ? $"there is no such row; did you mean {near}?"
            : $"there is no such row; there are {string.Join(", ", names)}";
    }

    // Links lead to an address; nothing else of an endpoint could be handed on through one.
    private static string? EndpointProblem(string text) =>
        !RedisEndpoint.TryParse(text, out var endpoint, out var problem) ? problem
        : endpoint is { SocketPath: null, UseTls: false, User: null, Password: null } ? null
        : "a plain TCP endpoint is needed, without TLS and password, for instance redis://127.0.0.1:6379";

    private static string? FileProblem(string path) => File.Exists(path) ? null : "there is no such file";
}
