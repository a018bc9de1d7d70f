namespace RedisLatency.Integration.BadInput;

/// <summary>Wrong options end with 2 before anything is connected, and say what would be right.</summary>
public sealed class OptionTests
{
    [Theory]
    [InlineData("Producer", "--rat 5", "unknown option --rat; did you mean --rate?")]
    [InlineData("Consumer", "--redsi 127.0.0.1:1", "unknown option --redsi; did you mean --redis?")]
    [InlineData("Producer", "chek", "unexpected word 'chek'; did you mean check?")]
    [InlineData("Producer", "--rate 1e9", "--rate 1e9: at most 10,000,000 messages per second")]
    [InlineData("Producer", "--rate", "--rate needs a value")]
    [InlineData("Producer", "--rate fast", "--rate fast: a number is needed")]
    [InlineData("Producer", "--duration 5", "--duration 5: ")]
    [InlineData("Producer", "--duration 99999999h", "--duration 99999999h: at most 36500d")]
    [InlineData("Workloads", "--duration 99999999h", "--duration 99999999h: at most 36500d")]
    [InlineData("Producer", "--payload-size 2MiB", "--payload-size 2MiB: ")]
    [InlineData("Producer", "--payload counter --streams 2", "plain counts have one stream")]
    [InlineData("Producer", "--channel a --reply-channel a", "they must differ")]
    [InlineData("Producer", "--cpu -1", "--cpu")]
    [InlineData("Producer", "--redis a --redis b --redis c", "at most two endpoints can be compared")]
    [InlineData("Producer", "--threshold rttt.p99<2ms", "there is no metric rttt; did you mean rtt?")]
    [InlineData("Producer", "--threshold p99.9<2ms", "there is no metric p99.9; did you mean rtt.p99.9<2ms?")]
    [InlineData("Workloads", "--threshold p99<2ms", "there is no metric p99; did you mean service.p99<2ms?")]
    [InlineData("Producer", "--threshold rtt<2ms", "a time is the limit of a statistic, for instance rtt.p99")]
    [InlineData("Producer", "--threshold rtt.p999<2ms", "did you mean p99.9?")]
    [InlineData("Producer", "--threshold rtt.p99<2ms", "a threshold needs a server", "--redis in-process")]
    [InlineData("Workloads", "--threshold service.p99<2ms", "a threshold needs a server", "--redis in-process")]
    [InlineData("Producer", "--redis http://localhost", "--redis http://localhost: the scheme is not known")]
    [InlineData("Producer", "--redis in-process --redis 127.0.0.1:1", "in-process stands alone")]
    [InlineData("Consumer", "--redis in-process", "--redis")]
    [InlineData("Producer", "--quiet --verbose", "use only one of them")]
    [InlineData("Producer", "--redis 127.0.0.1:1 --askpass", "there is no terminal to ask on; use --password-file")]
    [InlineData("Consumer", "--redis 127.0.0.1:1 --askpass", "there is no terminal to ask on; use --password-file")]
    [InlineData("Producer", "--redis 127.0.0.1:1 --password-file gone", "--password-file gone: there is no such file")]
    [InlineData("Producer", "--redis rediss://127.0.0.1:1 --tls-ca gone", "--tls-ca gone: there is no such file")]
    [InlineData("Producer", "--redis 127.0.0.1:1 --tls-cert gone", "a client certificate needs both files")]
    [InlineData("Consumer", "", "the Consumer needs a server; type for instance ")]
    [InlineData("Workloads", "scenario /dev/zero", "scenario /dev/zero: more than 1,048,576 bytes are in it")]
    [InlineData("Producer", "show", "FOLDER is missing")]
    [InlineData("Producer", "show gone", "gone", "no run record here; name a folder that a run left behind")]
    public async Task Option_ThatIsWrong_EndsWith2AndSaysWhatWouldBeRight(
        string project, string arguments, params string[] parts) =>
        (await Outcome.Of(project, arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)))
            .ShouldBeRefused(2, parts);

    [Fact]
    public async Task Scenario_ThatIsNotUtf8_EndsWith2AndSaysSo()
    {
        var file = Path.GetTempFileName();
        await File.WriteAllBytesAsync(file, [.. "{ \"name\": \""u8, 0xff, 0xfe], TestContext.Current.CancellationToken);

        (await Outcome.Of("Workloads", "scenario", file)).ShouldBeRefused(
            2, $"scenario {file}: it is not UTF-8 text; is it the right file?");
        File.Delete(file);
    }

    [Fact]
    public async Task Rate_OutOfRangeInTheEnvironment_NamesTheVariable() =>
        (await Outcome.With("REDISLATENCY__Producer__Rate", "1e9", "Producer")).ShouldBeRefused(
            2,
            "--rate 1e9: at most 10,000,000 messages per second "
            + "(from the environment, REDISLATENCY__Producer__Rate)");

    [Theory]
    [InlineData("Producer", "Redis__Endpoint", "--redis '': must not be empty")]
    [InlineData("Consumer", "Redis__Endpoint", "--redis '': must not be empty")]
    [InlineData("Workloads", "Redis__Endpoint__0", "--redis '': must not be empty")]
    public async Task Endpoint_EmptyInTheEnvironment_IsNotTheDefault(string project, string variable, string part) =>
        (await Outcome.With($"REDISLATENCY__{variable}", string.Empty, project)).ShouldBeRefused(
            2, part, "(from the environment, REDISLATENCY__Redis__Endpoint");

    [Fact]
    public async Task Variable_Mistyped_NamesTheNearest() =>
        (await Outcome.With("REDISLATENCY__Producer__Rat", "5", "Producer")).ShouldBeRefused(
            2, "did you mean Producer:Rate?", "REDISLATENCY__Producer__Rat");

    [Theory]
    [InlineData("""{ "Producer": { "Rate": 5 """, "settings.json: not valid JSON")]
    [InlineData("""{ "Producer": { "Rat": 5 } }""",
        "did you mean Producer:Rate?", "(from settings.json, Producer:Rat)")]
    [InlineData("""{ "Producr": { "Rate": 5 } }""", "unknown section; did you mean Producer?")]
    [InlineData("""{ "Producer": { "Rate": 1e-29 } }""", "--rate 1e-29: ", "at least 0.000001 messages per second")]
    [InlineData("""{ "Producer": { "Rate": -1 } }""", "--rate -1: ", "(from settings.json, Producer:Rate)")]
    [InlineData("""{ "Producer": { "Rate": [1, 2] } }""", "Producer:Rate takes one value")]
    public async Task SettingsFile_ThatIsWrong_EndsWith2AndNamesTheKey(string json, params string[] parts) =>
        (await Outcome.OfShell($"printf '%s' '{json}' >settings.json; exec \"$PROGRAM\" producer --config settings.json"))
            .ShouldBeRefused(2, parts);

    // Whoever writes it there, it is nobody's wish.
    [Theory]
    [InlineData("appsettings.json")]
    [InlineData("appsettings.Production.json")]
    [InlineData("redis-latency.json")]
    public async Task SettingsFile_ThatNobodyNames_IsNotRead(string name)
    {
        const string Json = """{ "Redis": { "Endpoint": "redis://elsewhere:1", "TlsInsecure": true } }""";
        var outcome = await Outcome.OfShell(
            $"printf '%s' '{Json}' >{name}; DOTNET_ENVIRONMENT=Production exec \"$PROGRAM\" producer config show");

        outcome.ExitCode.ShouldBe(0, outcome.Errors);
        outcome.Output.ShouldNotContain("elsewhere");
        outcome.Output.ShouldMatch("--tls-insecure +false +default");
    }

    [Theory]
    [InlineData("", "not a run record")]
    [InlineData("garbage", "not a run record")]
    [InlineData("[1]", "not a run record")]
    [InlineData("{}", "it has no schemaVersion")]
    [InlineData("""{ "schemaVersion": 2 }""", "not a run record")]
    [InlineData("""{ "schemaVersion": 1 }""", "written in schema 1, older than")]
    [InlineData("""{ "schemaVersion": 999 }""", "written in schema 999, newer than")]
    public async Task Show_OfWhatIsNoRecord_EndsWith2AndSaysWhy(string content, string part)
    {
        foreach (var project in (string[])["producer", "consumer"])
        {
            (await Outcome.OfShell($"printf '%s' '{content}' >run.json; exec \"$PROGRAM\" {project} show ."))
                .ShouldBeRefused(2, "run.json", part);
        }
    }

    [Theory]
    [InlineData("redis://user:c4nary@host:99999")]
    [InlineData("redis://:c4nary@:6379")]
    [InlineData("redis://:c4nary@host:port")]
    [InlineData("redis://:c4nary@host/x")]
    [InlineData("redis://:c4nary%zz@host")]
    [InlineData("http://:c4nary@host")]
    [InlineData("host:6380,password=c4nary,ssl=perhaps")]
    [InlineData("host:6380,pasword=c4nary")]
    public async Task Endpoint_Malformed_EndsWith2AndNeverShowsThePassword(string endpoint)
    {
        foreach (var project in (string[])["Producer", "Consumer"])
        {
            var outcome = await Outcome.Of(project, "--redis", endpoint);
            outcome.ShouldBeRefused(2, "--redis ***: ");
            outcome.ToString().ShouldNotContain("c4nary");
        }
    }
}
