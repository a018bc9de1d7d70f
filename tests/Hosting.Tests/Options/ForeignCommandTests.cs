using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Tests.Options;

/// <summary>A command line of another tool is read by our catalogue, in that tool's dialect.</summary>
public class ForeignCommandTests
{
    private ForeignCommandLine<Options>? _ran;

    [Theory]
    [InlineData(OptionDialect.Plain, "--clients 5 -c 6 PING -c 7", "6", "PING|-c|7")]
    [InlineData(OptionDialect.Mixed, "load -c 6 redis -c 7", "7", "load|redis")]
    [InlineData(OptionDialect.Getopt, "-c6 load --cl=7 -- -q", "7", "load|-q")]
    public void Words_AreReadInTheDialect(OptionDialect dialect, string line, string clients, string rest)
    {
        Run(dialect, line).ShouldBe((0, "", ""));

        _ran!.Options.Clients.ShouldBe(int.Parse(clients));
        string.Join('|', _ran.Rest).ShouldBe(rest);
        _ran.Given.ShouldContain("--clients");
    }

    [Fact]
    public void RepeatedOptions_AreTakenInTheirOrder()
    {
        Run(OptionDialect.Mixed, "--word a -c 3 --word b").ShouldBe((0, "", ""));

        _ran!.Options.Words.ShouldBe(["a", "3", "b"]);
    }

    [Theory]
    [InlineData("--speed 5", "--speed cannot be honoured: nothing is fast")]
    [InlineData("-c x --word", "-c x: a number is needed, for instance 1000, 10k or 2.6m|--word needs a value: --word TEXT")]
    [InlineData("--cl=1 --nothing", "Invalid option \"--nothing\"")]
    [InlineData("--c=1", "--c is ambiguous: --clients, --colour")]
    public void Problems_AreAllTold_WithTheUsage(string line, string problems)
    {
        var (code, output, error) = Run(OptionDialect.Getopt, line);

        (code, output).ShouldBe((2, ""));
        error.Split("\n\n")[0].ShouldBe(problems.Replace('|', '\n'));
        error.Split("\n\n")[1].ShouldBe("Usage: tool [options]\nTry tool --help; docs/x.md says how it differs from the original.\n");
        _ran.ShouldBeNull();
    }

    [Fact]
    public void Help_ListsNamesValuesAndWhatIsRefused()
    {
        var (code, output, _) = Run(OptionDialect.Getopt, "--he");

        code.ShouldBe(0);
        output.ShouldBe("Usage: tool [options]\n\n"
            + " --clients, -c NUMBER               How many\n"
            + " --colour                           In colours\n"
            + " --word TEXT                        A word\n"
            + " --speed N                          refused: nothing is fast\n"
            + " --help                             This\n");
    }

    private (int Code, string Output, string Error) Run(OptionDialect dialect, string line)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var command = new ForeignCommand<Options>("tool", "A tool.", "[options]", dialect, Catalogue, (ran, _) =>
        {
            _ran = ran;
            return 0;
        })
        { Manual = "docs/x.md" };
        var root = new CommandGroup("root", "A program.") { Verbs = [command] };
        var ended = new CommandLineProgram(root).RunAsync(
            ["tool", .. line.Split(' ')],
            new CommandSurroundings { Output = output, Error = error },
            TestContext.Current.CancellationToken);
        ended.IsCompletedSuccessfully.ShouldBeTrue();
        return (ended.Result, output.ToString(), error.ToString());
    }

    private static OptionCatalogue<Options> Catalogue() => new OptionCatalogue<Options>("Tool")
        .Add("--clients -c NUMBER", (o, count) => o.Take(count), Syntax.SmallCount(1, 9), "How many")
        .Add("--colour", o => o.HasColour, Syntax.Flag, "In colours")
        .Add("--word TEXT", (o, word) => o.Words.Add(word), Syntax.Text(), "A word")
        .Refuse("--speed N", "nothing is fast")
        .Add("--help", (_, _) => { }, Syntax.Flag, "This");

    private sealed class Options
    {
        public int Clients { get; private set; }
        public bool HasColour { get; set; }
        public List<string> Words { get; } = [];

        public void Take(int clients)
        {
            Clients = clients;
            Words.Add($"{clients}");
        }
    }
}
