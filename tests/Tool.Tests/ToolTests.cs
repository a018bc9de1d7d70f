using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>The services as words of one program, started as people start it.</summary>
public sealed class ToolTests
{
    [Fact]
    public async Task ProducerAndConsumer_MeasureARoundTrip()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.StartScript(BuiltProgram.Path, "consumer", "--redis", server.Uri, "-q");
        await using var tool = ServiceProcess.StartScript(
            BuiltProgram.Path, "producer", "--redis", server.Uri, "--consumer", "required", "--rate", "100", "-n", "100", "-q");

        (await tool.End()).ShouldBeOneOf([0, 4], tool.ToString());

        tool.Output.ToString().ShouldContain("RESULT role=producer ");
        tool.Output.ToString().ShouldContain(" sent=100 returned=100 ");
        (await consumer.EndBy("INT")).ShouldBe(130, consumer.ToString());
    }

    [Fact]
    public async Task Load_IsWorkloads()
    {
        await using var server = await RedisServerProcess.Start();
        await using var load = ServiceProcess.StartScript(
            BuiltProgram.Path, "load", "load", "--redis", server.Uri, "--records", "50", "-q");

        (await load.End()).ShouldBeOneOf([0, 4], load.ToString());

        load.Output.ToString().ShouldContain("RESULT role=workload ");
        load.Output.ToString().ShouldContain(" sent=50 ");
    }

    [Theory]
    [InlineData("load --redis a:1", "redis://a:1/0")]
    [InlineData("load run --redis a:1", "redis://a:1/0")]
    [InlineData("replication delay a:1 b:1", "redis://b:1/0")]
    [InlineData("sync a:1 b:1", "redis://b:1/0")]
    public async Task Options_OfACommand_AreShownBehindTheWord(string line, string shown)
    {
        await using var tool = ServiceProcess.StartScript(BuiltProgram.Path, ["config", "show", .. line.Split(' ')]);

        (await tool.End()).ShouldBe(0, tool.ToString());

        tool.Output.ToString().ShouldContain(shown);
    }

    [Theory]
    [InlineData("replication delay 127.0.0.1 x secret 10 get", "--destination ***: the port is no number")]
    [InlineData("replication delay wrte", "unexpected word 'wrte'; did you mean write?")]
    [InlineData("replication delay run --source a", "unexpected word 'run'; did you mean redis-latency load run?")]
    [InlineData("prodcer", "unexpected word 'prodcer'; did you mean producer?")]
    [InlineData("load --ratio 1:10", "unknown option --ratio")]
    [InlineData("lab selftets", "unexpected word 'selftets'; did you mean selftest?")]
    [InlineData("completion tcsh", "SHELL tcsh: one of bash, zsh, fish, powershell is needed")]
    [InlineData("scan --surce a:1", "unknown option --surce; did you mean --source?")]
    [InlineData("load sync", "unexpected word 'sync'; did you mean redis-latency sync?")]
    [InlineData("load selftest", "unexpected word 'selftest'; did you mean redis-latency lab selftest?")]
    [InlineData("copy a:1 b:1", "unexpected word 'copy'; did you mean redis-latency sync?")]
    [InlineData("127.0.0.1:1", "unexpected word '127.0.0.1:1'; did you mean redis-latency producer")]
    [InlineData("replication a:1 b:1", "unexpected word 'a:1': a command comes first: delay, matrix, show")]
    [InlineData("load 10k", "unexpected word '10k': a server is HOST, HOST:PORT or redis://HOST:PORT")]
    [InlineData("sync a:1 b:1 c:1", "unexpected word 'c:1': the words are [SOURCE] [DESTINATION]")]
    [InlineData("--redis a:1", "unknown option --redis: a command comes first: producer, ")]
    [InlineData("help copy", "no verb or option is called 'copy'; did you mean redis-latency sync?")]
    [InlineData("report shw somewhere", "shw: no such folder; did you mean show?")]
    [InlineData("lab link a:1", "unexpected word 'a:1': only options stand here")]
    [InlineData("load run a:1 --find-max-rate p99", "--find-max-rate p99: a percentile below a time is needed, for instance 'p99<1ms'")]
    [InlineData("load run a:1 --find-max-rate rtt.p99<1ms", "--find-max-rate rtt.p99<1ms: there is no metric rtt (known: service, response")]
    [InlineData("report compare a b --fail-if rtt.p99<2ms", "--fail-if rtt.p99<2ms: a limit here is a change in %")]
    [InlineData("producer a:1 --redis b:1", "--redis redis://b:1/0 and the word redis://a:1/0: the word stands for --redis")]
    [InlineData("sync a:1 --source b:1", "--source redis://b:1/0 and the word redis://a:1/0: the word stands for --source")]
    [InlineData("load http://a", "--redis http://a: the scheme is not known")]
    public async Task WrongWords_AreNamed(string line, string problem)
    {
        await using var tool = ServiceProcess.StartScript(BuiltProgram.Path, line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        (await tool.End()).ShouldBe(2, tool.ToString());

        tool.Errors.ToString().ShouldStartWith(problem);
    }

    [Theory]
    [InlineData("sync", "--source a:1 --destination b:1 --surce c")]
    [InlineData("scan", "--help")]
    [InlineData("rdb", "missing.rdb --destination b:1")]
    [InlineData("aof", "missing.aof --destination b:1")]
    public async Task VerbsOfTheSynchroniser_AreTheSameBehindReplication(string verb, string words)
    {
        var arguments = words.Split(' ');
        await using var direct = ServiceProcess.StartScript(BuiltProgram.Path, [verb, .. arguments]);
        await using var former = ServiceProcess.StartScript(BuiltProgram.Path, ["replication", verb, .. arguments]);

        var code = await direct.End();

        code.ShouldBe(words == "--help" ? 0 : 2, direct.ToString());
        (await former.End()).ShouldBe(code);
        former.ToString().ShouldBe(direct.ToString());
        direct.ToString().ShouldContain($"{BuiltProgram.TypedFor("Tool")} {verb} ");
    }

    [Theory]
    [InlineData("redis-latency prod", "producer")]
    [InlineData("redis-latency producer --driver st", "stackexchange")]
    [InlineData("redis-latency replication delay --poll", "--poll-interval")]
    [InlineData("redis-latency sync --on-e", "--on-existing")]
    [InlineData("redis-latency load load --pipel", "--pipeline")]
    public async Task Completion_OfBash_CompletesTheWord(string line, string word)
    {
        var script = $$"""
            set -e
            mkdir bin && ln -s '{{BuiltProgram.Path}}' bin/redis-latency && export PATH="$PWD/bin:$PATH"
            eval "$(redis-latency completion bash)"
            COMP_LINE='{{line}}' COMP_POINT={{line.Length}}
            COMP_WORDS=({{line}}) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _redis_latency
            echo "${COMPREPLY[*]}"
            """;
        await using var shell = ServiceProcess.StartScript("bash", "-c", script);

        (await shell.End()).ShouldBe(0, shell.ToString());

        shell.Output.ToString().Trim().ShouldBe(word);
    }

    [Theory]
    [InlineData("redis-latency prod", "producer")]
    [InlineData("redis-latency producer --driver st", "stackexchange")]
    [InlineData("redis-latency replication delay --poll", "--poll-interval")]
    [InlineData("redis-latency sync --on-e", "--on-existing")]
    [InlineData("echo | redis-latency load load --pipel", "--pipeline")]
    public async Task Completion_OfFish_CompletesTheWord(string line, string word)
    {
        await using var shell = ServiceProcess.StartScript("fish", "--no-config", "-c", $"""
            mkdir bin; and ln -s '{BuiltProgram.Path}' bin/redis-latency; and set -x PATH $PWD/bin $PATH
            redis-latency completion fish | source
            complete -C '{line}'
            """);

        (await shell.End()).ShouldBe(0, shell.ToString());

        shell.Output.ToString().Trim().ShouldBe(word);
    }

    // zsh completes on a terminal only: on one of its own, whose line is printed when the key Tab has changed it.
    [Theory]
    [InlineData("redis-latency prod", "redis-latency producer")]
    [InlineData("redis-latency producer --driver st", "redis-latency producer --driver stackexchange")]
    [InlineData("redis-latency replication delay --poll", "redis-latency replication delay --poll-interval")]
    [InlineData("redis-latency sync --on-e", "redis-latency sync --on-existing")]
    [InlineData("redis-latency load load --pipel", "redis-latency load load --pipeline")]
    public async Task Completion_OfZsh_CompletesTheWord(string line, string completed)
    {
        await using var shell = ServiceProcess.StartScript("zsh", "-f", "-c", $$"""
            mkdir bin && ln -s '{{BuiltProgram.Path}}' bin/redis-latency && export PATH="$PWD/bin:$PATH"
            redis-latency completion zsh >script
            print -r -- 'autoload -U compinit && compinit -D -u && source ./script
            show() { print -r -- "LINE=$BUFFER=" }
            zle -N show && bindkey "^X" show && print READ""Y' >setup
            zmodload zsh/zpty && zpty inner zsh -f -i && zpty -w inner 'source ./setup'
            zpty -r -m inner said '*READY*'
            zpty -w -n inner $'{{line}}\t\x18'
            zpty -r -m inner said '*LINE=*=*'
            print -r -- "${${said##*LINE=}%%=*}"
            """);

        (await shell.End()).ShouldBe(0, shell.ToString());

        shell.Output.ToString().Trim().ShouldBe(completed);
    }

    // There is none to run here.
    [Fact]
    public async Task Completion_OfPowerShell_SaysWhoCompletes()
    {
        await using var tool = ServiceProcess.StartScript(BuiltProgram.Path, "completion", "powershell");

        (await tool.End()).ShouldBe(0, tool.ToString());

        tool.Output.ToString().ShouldContain("Register-ArgumentCompleter -Native -CommandName redis-latency ");
    }
}
