
namespace RedisLatency.Hosting.Tests.Options;

/// <summary>A file of settings that is asked for, files of options, <c>REDIS_URL</c>, and what comes of all of them.</summary>
public sealed class ConfigTests : IDisposable
{
    private readonly SettingsFolders _folders = new();
    private readonly SampleProgram _program = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("config-").FullName;

    public void Dispose()
    {
        _folders.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Config_LosesAgainstTheEnvironment()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "3";
        var file = Write("mine.json", """{ "Producer": { "Rate": 2, "Duration": "4s" } }""");

        (await _program.Run("--config", file)).ShouldBe(0, string.Join('\n', _program.Errors));

        _program.Ran!.Values.Rate.ShouldBe(3);
        _program.Ran.Values.Duration.ShouldBe(TimeSpan.FromSeconds(4));
        _program.Effective.ShouldContain(("--duration", "4s", file));
    }

    [Theory]
    [InlineData(null, "--config FILE: there is no such file")]
    [InlineData("{ x", "FILE: not valid JSON: line 1, byte 3; see whether a comma, quote or bracket is missing")]
    [InlineData("{\n \"Producer\": {", "FILE: not valid JSON: line 2, byte 15; see whether")]
    [InlineData(" \n", "FILE: not valid JSON: it is empty; an object is needed, at least {}")]
    [InlineData("""{ "Producer": { "Rat": 1 } }""", "Producer:Rat: unknown setting; did you mean Producer:Rate? (from FILE")]
    [InlineData("""{ "Rate": 1 }""", "--config FILE: it has no section of this program; sections are Output, Producer")]
    public async Task Config_ThatIsOfNoUse_IsRefused(string? text, string problem)
    {
        var file = text is null ? Path.Combine(_folder, "none.json") : Write("mine.json", text);

        (await _program.Run("--config", file)).ShouldBe(2);

        _program.Ran.ShouldBeNull();
        _program.Errors[0].ShouldStartWith(problem.Replace("FILE", file, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Config_WithoutAFile_IsRefused()
    {
        (await _program.Run("--config")).ShouldBe(2);

        _program.Errors[0].ShouldBe("--config needs a value: --config FILE");
    }

    [Fact]
    public async Task ResponseFile_StandsForItsWords_WhereItsNameSaysThatItIsOne()
    {
        var file = Write("night.rsp", "# how it runs at night\n--rate 500\n--duration 2s\n");

        (await _program.Run($"@{file}", "--out", "@night")).ShouldBe(0, string.Join('\n', _program.Errors));

        _program.Ran!.Values.Rate.ShouldBe(500);
        _program.Ran.Values.Output.Folder.ShouldBe("@night");
        _program.Effective.ShouldContain(("--rate", "500", "command line"));
    }

    [Theory]
    [InlineData(null, "@FILE: there is no such file")]
    [InlineData("--rate", "--rate needs a value: --rate NUMBER")]
    [InlineData("--rat 5", "unknown option --rat; did you mean --rate?")]
    public async Task ResponseFile_ThatIsBroken_IsRefused(string? text, string problem)
    {
        var file = text is null ? Path.Combine(_folder, "none.rsp") : Write("night.rsp", text);

        (await _program.Run($"@{file}")).ShouldBe(2);

        _program.Errors[0].ShouldStartWith(problem.Replace("FILE", file, StringComparison.Ordinal));
    }

    [Fact]
    public async Task ResponseFile_ThatNamesItself_IsRefused()
    {
        var file = Write("a.rsp", $"--rate 5\n@{Path.Combine(_folder, "a.rsp")}\n");

        (await _program.Run($"@{file}")).ShouldBe(2);

        _program.Errors[0].ShouldStartWith($"@{file}: it names @{file}, and a response file cannot stand in another");
    }

    [Theory]
    [InlineData(false, "redis://***@url", "environment REDIS_URL")]
    [InlineData(true, "redis://***@file", "FILE")]
    public async Task RedisUrl_IsTheServer_WhereNobodyNamesAnother(bool hasFile, string value, string source)
    {
        _program.Environment["REDIS_URL"] = "redis://:secret@url:1";
        if (hasFile)
        {
            _folders.Write("""{ "Redis": { "Endpoint": "redis://file:1" } }""");
            _program.Files.Add(_folders.File);
        }

        (await _program.Run()).ShouldBe(0, string.Join('\n', _program.Errors));

        _program.Effective.ShouldContain(
            ("--redis", value, source.Replace("FILE", _folders.File, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task ConfigShow_PrintsEachOptionWithItsOrigin_AndRunsNothing()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "3";

        (await _program.Run("config", "show", "--duration", "2s", "--redis", "redis://:secret@a:1")).ShouldBe(0);

        _program.Ran.ShouldBeNull();
        var rows = _program.Output.Split('\n').Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        rows.ShouldContain(row => row.SequenceEqual(new[] { "--duration", "2s", "command", "line" }));
        rows.ShouldContain(row => row.SequenceEqual(
            new[] { "--rate", "3", "environment", "REDISLATENCY__Producer__Rate" }));
        _program.Output.ShouldContain("redis://***@a");
        _program.Output.ShouldNotContain(":secret");
    }

    private string Write(string name, string text)
    {
        var file = Path.Combine(_folder, name);
        File.WriteAllText(file, text);
        return file;
    }
}
