using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Tests.Options;

/// <summary>A program with the options of a service, whose handlers keep what they were given.</summary>
internal sealed class SampleProgram
{
    private static readonly ValueSyntax<TimeSpan> Duration =
        Syntax.Duration(TimeSpan.FromMilliseconds(1), TimeSpan.FromDays(7));

    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();

    public Dictionary<string, string> Environment { get; } = [];

    public List<string> Files { get; } = [];

    public string? Started { get; init; }

    public int Columns { get; init; } = 80;

    public Func<CancellationToken, int> Outcome { get; init; } = _ => 0;

    public Func<Exception, int?>? ExitCodeOf { get; init; }

    public BoundOptions<SampleOptions>? Ran { get; private set; }

    public IEnumerable<(string Name, string Value, string Source)> Effective =>
        Ran!.Effective.Select(option => (option.Name, option.Value, option.Source));

    public BoundOptions<SampleOptions>? Checked { get; private set; }

    public ShowOptions? Shown { get; private set; }

    public string Output => _output.ToString();

    public string[] Errors => _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public async Task<int> Run(params string[] arguments)
    {
        using var output = new StringWriter(_output) { NewLine = "\n" };
        using var error = new StringWriter(_error) { NewLine = "\n" };
        var surroundings = new CommandSurroundings
        {
            Output = output,
            Error = error,
            Program = Started,
            Columns = Columns,
            Environment = Environment,
        };
        var program = new CommandLineProgram(Command(), ExitCodeOf);
        return await program.RunAsync(
            [.. arguments, .. Files.SelectMany(file => new[] { "--config", file })], surroundings, TestContext.Current.CancellationToken);
    }

    private static OptionCatalogue<SampleOptions> Catalogue() => new OptionCatalogue<SampleOptions>("Producer")
        .Include(Target(), o => o.Target)
        .Group("Load")
        .Add("--rate -r", o => o.Rate, Syntax.Number(0, 10_000_000, "messages per second"),
            "How fast to send, over all channels; 0 sends the next message when the last has returned")
        .Add("--iterations", o => o.Iterations, Syntax.Count(1, long.MaxValue, "messages").Optional(),
            "How many messages to send", shownDefault: "1,000 without --duration")
        .Add("--duration", o => o.Duration, Duration.Optional(),
            "How long to measure")
        .Add("--arrival", o => o.Arrival, Syntax.Choice<Arrival>(), "When messages are due")
        .Add("--payload-size", o => o.PayloadSize, Syntax.Range(Syntax.Size(0, 1 << 20)), "Bytes in a message")
        .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag, "Spin on the socket instead of sleeping")
        .Add("--secret", o => o.Secret, Syntax.Text("WORD", SecretProblem),
            "Something that nobody may see", mask: OptionMask.Whole)
        .Include(IdentityCatalogue.Create(), o => o.Identity)
        .Include(OutputCatalogue.Create(ThresholdProblem, Gates), o => o.Output)
        .Rule(["--iterations", "--duration"], o => o.Iterations is not null && o.Duration is not null
            ? "only one of them can end the run"
            : null);

    private static OptionCatalogue<TargetOptions> Target() => TargetCatalogue.Create(
        endpoint => endpoint.Contains("://", StringComparison.Ordinal) ? null : "an endpoint begins with redis://",
        endpoint => new Uri(endpoint) is { Scheme: var scheme, Host: var host }
            ? $"{scheme}://{OptionMask.Hidden}@{host}"
            : OptionMask.Hidden);

    private static string? SecretProblem(string word) => word switch
    {
        "bad" => "not this one",
        "boom" => throw new NotSupportedException(word),
        _ => null,
    };

    private const string Gates = "'rtt.p99<2ms' or 'lost==0'";

    private static string? ThresholdProblem(Threshold threshold) => threshold.Validate(
        [new("rtt", MetricKind.Durations), new("lost", MetricKind.Counter), new("rate", MetricKind.Ratio)]);

    private ServiceCommand<SampleOptions> Command() => new(
        "producer",
        "Measure publish/subscribe round trips through Redis.",
        Catalogue(),
        (run, cancellation) =>
        {
            Ran = run.Options;
            return Task.FromResult(Outcome(cancellation));
        })
    {
        IsProgram = true,
        Common = ["--redis", "--rate", "--busy-poll"],
        Examples =
        [
            new("Measure what the tool itself costs", ""),
            new("1,000 round trips through a server", "--redis redis://localhost:6379"),
            new("5,000 messages per second for a minute", "--redis redis://localhost:6379 --rate 5k --duration 1m"),
            new("One more than the short help shows", "--arrival poisson"),
        ],
        Verbs =
        [
            new ServiceCommand<SampleOptions>(
                "check",
                "Reach the server and measure nothing",
                new OptionCatalogue<SampleOptions>("Producer").Include(Target(), o => o.Target),
                (run, _) =>
                {
                    Checked = run.Options;
                    return Task.FromResult(3);
                }),
            new ServiceCommand<SampleOptions>(
                "count",
                "Have a number for an argument",
                new OptionCatalogue<SampleOptions>("Producer").AddArgument(
                    "COUNT", o => o.Iterations, Syntax.Count(1, 10, "runs").Optional(), "How many"),
                (run, _) =>
                {
                    Ran = run.Options;
                    return Task.FromResult(0);
                }),
            new ServiceCommand<ShowOptions>(
                "show",
                "Print a saved run again",
                new OptionCatalogue<ShowOptions>("Producer")
                    .AddArgument("FOLDER", o => o.Folder, Syntax.Text(), "The results folder of the run")
                    .Include(OutputCatalogue.Create(ThresholdProblem, Gates).Only("--format", "--quiet"), o => o.Output),
                (run, _) =>
                {
                    Shown = run.Options.Values;
                    return Task.FromResult(0);
                }),
        ],
    };
}
