using RedisLatency.Fixtures;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class HelpTests
{
    private readonly SampleProgram _program = new();

    [Fact]
    public async Task Help_OfTheProgram_IsAsRecorded()
    {
        (await _program.Run("--help")).ShouldBe(0);

        _program.Errors.ShouldBeEmpty();
        ShouldBeAsRecorded("producer");
    }

    [Fact]
    public async Task Help_OfAVerb_IsAsRecorded()
    {
        (await _program.Run("show", "--help")).ShouldBe(0);

        ShouldBeAsRecorded("show");
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("show --help")]
    [InlineData("check -h")]
    public async Task Help_FitsInto80Columns(string line)
    {
        await _program.Run(line.Split(' '));

        Lines(_program.Output).ShouldAllBe(text => text.Length <= 80);
        Lines(_program.Output).ShouldAllBe(text => text == text.TrimEnd());
    }

    [Fact]
    public async Task Help_ThatIsShort_IsAsRecorded()
    {
        (await _program.Run("-h")).ShouldBe(0);

        ShouldBeAsRecorded("brief");
    }

    [Fact]
    public async Task Help_ThatIsShort_OfAVerb_HasThoseOptionsOfTheProgramThatItHas()
    {
        (await _program.Run("check", "-h")).ShouldBe(0);

        _program.Output.ShouldContain("\n      --redis ENDPOINT ");
        _program.Output.ShouldNotContain("--user");
        _program.Output.ShouldContain("All options: producer check --help.");
    }

    [Fact]
    public async Task Help_OnAWideTerminal_UsesIt()
    {
        var program = new SampleProgram { Columns = 110 };

        await program.Run("--help");

        Lines(program.Output).Max(line => line.Length).ShouldBeInRange(95, 110);
    }

    [Fact]
    public async Task Help_NamesTheProgramAsItWasStarted()
    {
        var program = new SampleProgram { Started = "dotnet run --project src/Producer --" };

        await program.Run("-h");
        await program.Run("--rte");

        program.Output.ShouldContain("\n  dotnet run --project src/Producer -- --redis redis://localhost:6379\n");
        program.Errors[^1].ShouldBe("See dotnet run --project src/Producer -- --help");
    }

    [Theory]
    [InlineData("help rate", "-r, --rate NUMBER")]
    [InlineData("help --rate", "Variable: REDISLATENCY__Producer__Rate")]
    [InlineData("help r", "Taken by: producer")]
    [InlineData("help format", "Taken by: producer")]
    [InlineData("help show", "Usage: producer show [OPTIONS] FOLDER")]
    [InlineData("help", "Usage: producer [VERB] [OPTIONS]")]
    public async Task Help_OfAWord_ExplainsIt(string line, string text)
    {
        (await _program.Run(line.Split(' '))).ShouldBe(0);

        _program.Output.ShouldContain(text);
    }

    [Theory]
    [InlineData("help rat", "no verb or option is called 'rat'; did you mean rate?")]
    [InlineData("help shw", "no verb or option is called 'shw'; did you mean show?")]
    [InlineData("help q\u001b[2J", "no verb or option is called 'q")]
    public async Task Help_OfAWordThatIsNone_NamesTheNearest(string line, string problem)
    {
        (await _program.Run(line.Split(' '))).ShouldBe(2);

        _program.Errors.ShouldHaveSingleItem().ShouldStartWith(problem);
        _program.Errors[0].ShouldNotContain('\u001b');
    }

    [Fact]
    public async Task Help_WinsOverMistakes()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "fast";

        (await _program.Run("--rte", "5", "--help")).ShouldBe(0);

        _program.Errors.ShouldBeEmpty();
    }

    private static string[] Lines(string text) => text.ReplaceLineEndings("\n").Split('\n');

    // Help.producer.txt and its like lie beside this file.
    private void ShouldBeAsRecorded(string name)
    {
        var file = RepositoryRoot.Combine("tests", "Hosting.Tests", "Options", $"Help.{name}.txt");
        if (Environment.GetEnvironmentVariable("REDISLATENCY_RECORD_ANSWERS") == "1")
            File.WriteAllText(file, _program.Output);
        Lines(_program.Output).ShouldBe(Lines(File.ReadAllText(file)));
    }
}
