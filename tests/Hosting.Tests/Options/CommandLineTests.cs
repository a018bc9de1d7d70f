
namespace RedisLatency.Hosting.Tests.Options;

public sealed class CommandLineTests
{
    private readonly SampleProgram _program = new();

    [Theory]
    [InlineData("--rte 5", "unknown option --rte; did you mean --rate?")]
    [InlineData("--rte=5", "unknown option --rte; did you mean --rate?")]
    [InlineData("-j", "unknown option -j")]
    [InlineData("chek", "unexpected word 'chek'; did you mean check? A server of that name is --redis chek")]
    [InlineData("--rate", "--rate needs a value: --rate NUMBER")]
    [InlineData("--rate --busy-poll", "--rate needs a value: --rate NUMBER")]
    [InlineData("--rate 1 --rate 2", "--rate is given 2 times: 1 and 2")]
    [InlineData("--rate 1 2", "unexpected word '2': a server is HOST, HOST:PORT or redis://HOST:PORT; a value follows its option")]
    [InlineData("redis://a --redis redis://b", "--redis redis://***@b and the word redis://***@a: the word stands for --redis; use only one of them")]
    [InlineData("http:a", "--redis ***: an endpoint begins with redis://")]
    [InlineData("--busy-poll=maybe", "--busy-poll maybe: true or false is needed")]
    [InlineData("--rate 1 check", "--rate does not apply to check")]
    [InlineData("check --rate 1", "unknown option --rate")]
    [InlineData("show", "FOLDER is missing: The results folder of the run")]
    [InlineData("show --foo", "unknown option --foo")]
    [InlineData("show a b", "unexpected word 'b': the words are FOLDER")]
    [InlineData("config", "unexpected word 'config'; did you mean config show? A server of that name is --redis config")]
    [InlineData("count -1", "COUNT -1: at least 1 run")]
    [InlineData("--duration -5s", "--duration -5s: at least 1ms")]
    public async Task WrongUsage_EndsWith2_OnStandardError_WithoutHelp(string line, string problem)
    {
        (await _program.Run(line.Split(' '))).ShouldBe(2);

        _program.Output.ShouldBeEmpty();
        _program.Errors[0].ShouldBe(problem);
        _program.Errors.Length.ShouldBeLessThanOrEqualTo(3);
        (_program.Ran ?? _program.Checked).ShouldBeNull();
        _program.Shown.ShouldBeNull();
    }

    [Theory]
    [InlineData("--redis redis://:secret@host --secret word", true)]
    [InlineData("--secret word --quiet", false)]
    [InlineData("--secret @file", false)]
    [InlineData("--rate 5", false)]
    public async Task PasswordOnTheCommandLine_IsWarnedAboutOnce(string line, bool isWarned)
    {
        _program.Environment["REDISLATENCY__Producer__Secret"] = "not on the command line";

        (await _program.Run(line.Split(' '))).ShouldBe(0);

        _program.Errors.Count(error => error.Contains("a password on the command line", StringComparison.Ordinal))
            .ShouldBe(isWarned ? 1 : 0);
    }

    [Fact]
    public async Task AMistypedOptionInAValuesPlace_IsNotSwallowed()
    {
        await _program.Run("--out", "--quite");

        _program.Errors.ShouldBe(
        [
            "--out needs a value: --out FOLDER",
            "unknown option --quite; did you mean --quiet?",
            "See producer --help",
        ]);
    }

    [Fact]
    public async Task AValueThatLooksLikeAnOption_CanBeGivenWithAnEqualsSign()
    {
        await _program.Run("--out=--odd");

        _program.Ran!.Values.Output.Folder.ShouldBe("--odd");
    }

    [Fact]
    public async Task AnArgumentThatLooksLikeAnOption_CanBeGivenAfterTwoDashes()
    {
        await _program.Run("show", "--", "--odd");

        _program.Shown!.Folder.ShouldBe("--odd");
    }

    [Fact]
    public async Task AValueWithAnAtSign_IsNoResponseFile()
    {
        await _program.Run("--out", "@results");

        _program.Ran!.Values.Output.Folder.ShouldBe("@results");
    }

    [Fact]
    public async Task AFlag_LeavesTheNextWordAlone()
    {
        await _program.Run("show", "--quiet", "folder");

        _program.Shown!.Folder.ShouldBe("folder");
        _program.Shown.Output.Quiet.ShouldBeTrue();
    }

    [Fact]
    public async Task RepeatedOptions_MakeAList()
    {
        await _program.Run("--redis", "redis://a", "--rate", "5", "--redis", "redis://b");

        _program.Ran!.Values.Target.Endpoints.ShouldBe(["redis://a", "redis://b"]);
        _program.Effective.ShouldContain(("--redis", "redis://***@a redis://***@b", "command line"));
    }

    [Theory]
    [InlineData("redis://a redis://b --rate 5")]
    [InlineData("redis://a --rate 5 redis://b")]
    [InlineData("--rate 5 redis://a --busy-poll redis://b")]
    [InlineData("--rate 5 -- redis://a redis://b")]
    public async Task Words_AreTheServers(string line)
    {
        (await _program.Run(line.Split(' '))).ShouldBe(0, string.Join('\n', _program.Errors));

        _program.Ran!.Values.Target.Endpoints.ShouldBe(["redis://a", "redis://b"]);
        _program.Effective.ShouldContain(("--redis", "redis://***@a redis://***@b", "command line"));
    }

    [Fact]
    public async Task AWordBehindAVerb_IsTheServerOfTheVerb()
    {
        (await _program.Run("check", "redis://a")).ShouldBe(3);

        _program.Checked!.Values.Target.Endpoints.ShouldBe(["redis://a"]);
    }

    [Fact]
    public async Task AnUnknownOption_DoesNotMakeAServerOfItsValue()
    {
        (await _program.Run("--hosst", "redis://a")).ShouldBe(2);

        _program.Errors[0].ShouldStartWith("unknown option --hosst");
        _program.Errors.Length.ShouldBe(2);
    }

    [Fact]
    public async Task AnAlias_IsTheOption()
    {
        await _program.Run("-r", "2.5k");

        _program.Ran!.Values.Rate.ShouldBe(2_500);
    }

    [Fact]
    public async Task AVerb_RunsWithItsOwnOptions_AndItsExitCode()
    {
        (await _program.Run("check", "--redis", "redis://a")).ShouldBe(3);

        _program.Checked!.Values.Target.Endpoints.ShouldBe(["redis://a"]);
        _program.Ran.ShouldBeNull();
    }

    [Fact]
    public async Task AnOptionBeforeItsVerb_Counts()
    {
        await _program.Run("--redis", "redis://a", "check");

        _program.Checked!.Values.Target.Endpoints.ShouldBe(["redis://a"]);
    }

    [Fact]
    public async Task Version_IsPrinted()
    {
        (await _program.Run("--version")).ShouldBe(0);

        _program.Output.ShouldMatch(@"^RedisLatency \d+\.\d+\.\d+, (commit [0-9a-f]{12}, )?\.NET 10\.\S+, \S+\n$");
        _program.Errors.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("producer --driv", "--driver")]
    [InlineData("producer --driver st", "stackexchange")]
    [InlineData("producer ch", "check")]
    public async Task Completions_AreSuggestedToTheShell(string line, string word)
    {
        (await _program.Run($"[suggest:{line.Length}]", line)).ShouldBe(0);

        _program.Output.Split('\n').ShouldContain(word);
    }
}
