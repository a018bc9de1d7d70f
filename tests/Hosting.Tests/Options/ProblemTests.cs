using RedisLatency.Hosting.Output;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class ProblemTests : IDisposable
{
    private readonly SettingsFolders _folders = new();
    private readonly SampleProgram _program = new();

    public void Dispose() => _folders.Dispose();

    [Fact]
    public async Task AllProblems_AreToldAtOnce_EachWithItsOrigin()
    {
        _folders.Write("""{ "Producer": { "Duration": 5, "Arival": "uniform" } }""");
        _program.Files.Add(_folders.File);
        _program.Environment["REDISLATENCY__Producer__Rate"] = "1e9";

        (await _program.Run("--payload-size", "2..1", "--rte", "5")).ShouldBe(2);

        _program.Ran.ShouldBeNull();
        _program.Output.ShouldBeEmpty();
        _program.Errors.ShouldBe(
        [
            "unknown option --rte; did you mean --rate?",
            "Producer:Arival: unknown setting; did you mean Producer:Arrival? "
                + $"(from {_folders.File}, Producer:Arival)",
            "--rate 1e9: at most 10,000,000 messages per second (from the environment, REDISLATENCY__Producer__Rate)",
            "--duration 5: a duration needs a unit, for instance 5ms or 5s"
                + $" (from {_folders.File}, Producer:Duration)",
            "--payload-size 2..1: a range goes from the smaller value to the larger one",
            "See producer --help",
        ]);
    }

    [Theory]
    [InlineData("redis://sec:Wr0ng@S3cr3t@host", "redis://sec:***@host")]
    [InlineData("rediss://:Wr0ngS3cr3t@host", "rediss://:***@host")]
    [InlineData("redis://Wr0ngS3cr3t@host", "redis://***@host")]
    [InlineData("redis://host:6379/0?S3cr3t", "redis://host:6379/0?S3cr3t")]
    public async Task AUrl_WhereverItIsGiven_IsToldWithoutItsPassword(string given, string shown)
    {
        (await _program.Run("--rate", given, "--duration", given, "--" + given, given)).ShouldBe(2);

        _program.Errors.Count(error => error.Contains(shown, StringComparison.Ordinal)).ShouldBeGreaterThanOrEqualTo(2);
        _program.Errors.ShouldNotContain(error => error.Replace(shown, "").Contains("S3cr3t", StringComparison.Ordinal));
        using var stream = new MemoryStream();
        new Diagnostics(stream).WriteLine($"cannot reach {given}");
        System.Text.Encoding.UTF8.GetString(stream.ToArray()).ShouldBe($"cannot reach {shown}\n");
    }

    [Fact]
    public async Task AWrongValueThatAHigherLayerReplaces_DoesNotMatter()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "1e9";

        (await _program.Run("--rate", "5")).ShouldBe(0);
    }

    [Fact]
    public async Task EveryWrongElementOfAList_IsTold()
    {
        await _program.Run("--threshold", "rtt.p99<2", "--threshold", "lots==0");

        _program.Errors.Take(2).ShouldBe(
        [
            "--threshold rtt.p99<2: 2: a duration needs a unit, for instance 2ms or 2s",
            "--threshold lots==0: there is no metric lots; did you mean lost? (known: rtt, lost, rate)",
        ]);
    }

    [Fact]
    public async Task ARuleOverTwoOptions_NamesBothAndTheirOrigin()
    {
        _program.Environment["REDISLATENCY__Producer__Duration"] = "5s";

        (await _program.Run("--iterations", "5")).ShouldBe(2);

        _program.Errors[0].ShouldBe("--iterations, --duration: only one of them can end the run "
            + "(from the environment, REDISLATENCY__Producer__Duration)");
    }

    [Fact]
    public async Task ARuleOverAWrongOption_IsNotAsked()
    {
        await _program.Run("--iterations", "5", "--duration", "5");

        _program.Errors.Length.ShouldBe(2);
        _program.Errors[0].ShouldStartWith("--duration 5: ");
    }

    [Theory]
    [InlineData("REDISLATENCY__Producer__Rat", "Producer:Rat: unknown setting; did you mean Producer:Rate?")]
    [InlineData("REDISLATENCY__Producr__Rate", "Producr:Rate: unknown section; did you mean Producer?")]
    [InlineData("REDISLATENCY__Run", "Run: unknown setting; Run has Instance, Name, Region")]
    [InlineData("REDISLATENCY__Producer__Rate__0", "Producer:Rate:0: Producer:Rate takes one value")]
    [InlineData("REDISLATENCY__Redis__Endpoint__first",
        "Redis:Endpoint:first: the elements of a list are numbered from 0")]
    public async Task AnUnknownSetting_IsAnError(string name, string problem)
    {
        _program.Environment[name] = "5";

        (await _program.Run()).ShouldBe(2);

        _program.Errors[0].ShouldBe($"{problem} (from the environment, {name})");
    }

    [Theory]
    [InlineData("REDISLATENCY__Consumer__Rate")]
    [InlineData("REDISLATENCY_PORTABLE")]
    [InlineData("Producer__Rate")]
    public async Task ASettingOfAnotherProgram_IsNoneOfOurs(string name)
    {
        _program.Environment[name] = "fast";

        (await _program.Run()).ShouldBe(0);
    }

    [Fact]
    public async Task AVerb_KnowsTheSettingsOfTheWholeProgram()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "5";

        (await _program.Run("show", "folder")).ShouldBe(0);
    }

    [Theory]
    [InlineData("""{ "Producer": { "Rate": 5 """, "FILE: not valid JSON: ")]
    [InlineData("""{ "Producer": { "Rate": 5, "rate": 6 } }""", "FILE: not valid JSON: ")]
    public async Task AFileThatIsNotJson_IsAnError(string json, string problem)
    {
        _folders.Write(json);
        _program.Files.Add(_folders.File);

        (await _program.Run("--rate", "1e9")).ShouldBe(2);

        _program.Errors[0].ShouldStartWith(problem.Replace("FILE", _folders.File, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Secrets_AreMaskedEverywhere()
    {
        await _program.Run("--secret", "canary", "--redis", "redis://user:canary@host");

        _program.Ran!.Values.Secret.ShouldBe("canary");
        _program.Ran.Effective.ShouldContain(option => option.Name == "--secret" && option.Value == "***");
        _program.Ran.Effective.ShouldContain(option => option.Name == "--redis" && option.Value == "redis://***@host");
        string.Concat(_program.Ran.Effective).ShouldNotContain("canary");
    }

    [Fact]
    public async Task Secrets_AreMaskedInErrors()
    {
        await _program.Run("--secret", "bad", "--redis", "canary@host", "--secrt", "canary", "--sicret=canary");

        _program.Errors.ShouldContain("--secret ***: not this one");
        _program.Errors.ShouldContain("--redis ***: an endpoint begins with redis://");
        string.Concat(_program.Errors).ShouldNotContain("canary");
    }

    [Theory]
    [InlineData("--tls-cert", "client.pem", "--tls-cert, --tls-key: a client certificate needs both files")]
    [InlineData("--run", "a/b", "--run a/b: letters (a to z), digits, '-', '_' and '.' are allowed")]
    [InlineData("--region", "São-Paulo", "--region São-Paulo: letters (a to z), digits, '-', '_' and '.' are allowed")]
    [InlineData("--run", "..", "--run ..: the first character must be a letter (a to z) or a digit")]
    [InlineData("--out", "", "--out '': must not be empty")]
    public async Task SharedOptions_AreChecked(string name, string value, string problem)
    {
        (await _program.Run(name, value)).ShouldBe(2);

        _program.Errors[0].ShouldBe(problem);
    }
}
