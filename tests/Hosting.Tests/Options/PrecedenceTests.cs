
namespace RedisLatency.Hosting.Tests.Options;

public sealed class PrecedenceTests : IDisposable
{
    private readonly SettingsFolders _folders = new();
    private readonly SampleProgram _program = new();

    public void Dispose() => _folders.Dispose();

    [Theory]
    [InlineData(0, 1_000, "default")]
    [InlineData(1, 1, "FILE")]
    [InlineData(2, 2, "environment REDISLATENCY__Producer__Rate")]
    [InlineData(3, 3, "command line")]
    public async Task EachLayer_WinsOverThoseBelow(int layers, double rate, string source)
    {
        if (layers >= 1)
        {
            _folders.Write("""{ "producer": { "rate": 1 }, "Logging": { "LogLevel": "Warning" } }""");
            _program.Files.Add(_folders.File);
        }

        if (layers >= 2)
        {
            _program.Environment["REDISLATENCY__Producer__Rate"] = "2";
        }

        (await _program.Run(layers >= 3 ? ["--rate", "3"] : [])).ShouldBe(0);

        _program.Ran!.Values.Rate.ShouldBe(rate);
        _program.Ran.IsGiven("--rate").ShouldBe(layers > 0);
        _program.Effective.ShouldContain((
            "--rate", rate.ToString("0"), source.Replace("FILE", _folders.File, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task AnEmptyThreshold_IsWrongAndNotUnset()
    {
        _program.Environment["REDISLATENCY__Output__Threshold"] = "";

        (await _program.Run()).ShouldBe(2);

        _program.Errors[0].ShouldBe(
            "--threshold '': a threshold is needed, for instance 'rtt.p99<2ms' or 'lost==0' "
            + "(from the environment, REDISLATENCY__Output__Threshold)");
    }

    [Theory]
    [InlineData("Redis__Endpoint")]
    [InlineData("Redis__Endpoint__0")]
    public async Task AnEmptyEndpoint_IsWrongAndNotUnset(string variable)
    {
        _program.Environment[$"REDISLATENCY__{variable}"] = "";
        _program.Environment["REDISLATENCY__Producer__Rate"] = "";

        (await _program.Run()).ShouldBe(2);

        _program.Errors[0].ShouldBe(
            $"--redis '': must not be empty (from the environment, REDISLATENCY__{variable})");
    }

    [Fact]
    public async Task EveryOption_IsInTheEffectiveList()
    {
        await _program.Run();

        _program.Ran!.Effective.Select(option => option.Name).ShouldContain("--tls-ca");
        _program.Ran.Effective.ShouldAllBe(option => option.Source == "default");
        _program.Effective.ShouldContain(("--duration", "none", "default"));
        _program.Effective.ShouldContain(("--payload-size", "64B", "default"));
    }

    [Fact]
    public async Task AList_IsReplacedWholeByTheHigherLayer()
    {
        _folders.Write("""{ "Redis": { "Endpoint": [ "redis://one", "redis://two", "redis://three" ] } }""");
        _program.Files.Add(_folders.File);
        _program.Environment["REDISLATENCY__Redis__Endpoint__1"] = "redis://five";
        _program.Environment["REDISLATENCY__Redis__Endpoint__0"] = "redis://four";

        await _program.Run();

        _program.Ran!.Values.Target.Endpoints.ShouldBe(["redis://four", "redis://five"]);
    }

    [Fact]
    public async Task AList_MayBeOneValue()
    {
        _program.Environment["REDISLATENCY__Redis__Endpoint"] = "redis://one";

        await _program.Run();

        _program.Ran!.Values.Target.Endpoints.ShouldBe(["redis://one"]);
    }

    [Fact]
    public async Task AListWithManyElements_KeepsItsOrder()
    {
        for (var i = 0; i < 12; i++)
        {
            _program.Environment[$"REDISLATENCY__Redis__Endpoint__{i}"] = $"redis://host{i}";
        }

        await _program.Run();

        _program.Ran!.Values.Target.Endpoints.ShouldBe(Enumerable.Range(0, 12).Select(i => $"redis://host{i}"));
    }

    [Fact]
    public async Task AnEmptyVariable_IsUnset()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "";

        await _program.Run();

        _program.Ran!.IsGiven("--rate").ShouldBeFalse();
    }

    [Fact]
    public async Task AFlagThatAFileTurnsOn_CanBeTurnedOffOnTheCommandLine()
    {
        _folders.Write("""{ "Producer": { "BusyPoll": true } }""");
        _program.Files.Add(_folders.File);

        await _program.Run("--busy-poll=false");

        _program.Ran!.Values.BusyPoll.ShouldBeFalse();
    }

    [Fact]
    public async Task Resolve_PutsTheValueThatADefaultMeantIntoTheList()
    {
        await _program.Run();

        _program.Ran!.Resolve("--run", "brisk-otter");

        _program.Effective.ShouldContain(("--run", "brisk-otter", "default"));
    }
}
