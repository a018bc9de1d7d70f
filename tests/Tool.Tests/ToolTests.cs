using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>The services as words of one program, started as people start it.</summary>
public sealed class ToolTests
{
    private static readonly string Program = Path.ChangeExtension(typeof(ToolProgram).Assembly.Location, null);

    [Fact]
    public async Task ProducerAndConsumer_MeasureARoundTrip()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.StartScript(Program, "consumer", "--redis", server.Uri, "-q");
        await using var tool = ServiceProcess.StartScript(
            Program, "producer", "--redis", server.Uri, "--rate", "100", "-n", "100", "-q");

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
            Program, "load", "load", "--redis", server.Uri, "--records", "50", "-q");

        (await load.End()).ShouldBeOneOf([0, 4], load.ToString());

        load.Output.ToString().ShouldContain("RESULT role=workload ");
        load.Output.ToString().ShouldContain(" sent=50 ");
    }

    [Theory]
    [InlineData("replication delay 127.0.0.1 x secret 10 get", "PORT x")]
    [InlineData("replication delay wrte", "unexpected word 'wrte'; did you mean write?")]
    [InlineData("replication delay run --source a", "unexpected word 'run'")]
    [InlineData("prodcer", "unexpected word 'prodcer'; did you mean producer?")]
    [InlineData("load --ratio 1:10", "unknown option --ratio")]
    [InlineData("lab selftets", "unexpected word 'selftets'; did you mean selftest?")]
    [InlineData("completion tcsh", "SHELL tcsh: one of bash, zsh, fish, powershell is needed")]
    [InlineData("", "a command is needed: producer, consumer, load, replication, lab")]
    public async Task WrongWords_AreNamed(string line, string problem)
    {
        await using var tool = ServiceProcess.StartScript(Program, line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        (await tool.End()).ShouldBe(2, tool.ToString());

        tool.Errors.ToString().ShouldStartWith(problem);
    }

    [Theory]
    [InlineData("redis-latency prod", "producer")]
    [InlineData("redis-latency producer --driver st", "stackexchange")]
    [InlineData("redis-latency replication delay --poll", "--poll-interval")]
    [InlineData("redis-latency load load --pipel", "--pipeline")]
    public async Task Completion_OfBash_CompletesTheWord(string line, string word)
    {
        var script = $$"""
            set -e
            mkdir bin && ln -s '{{Program}}' bin/redis-latency && export PATH="$PWD/bin:$PATH"
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
    [InlineData("zsh", "compdef _redis_latency redis-latency")]
    [InlineData("fish", "complete -c redis-latency ")]
    [InlineData("powershell", "Register-ArgumentCompleter -Native -CommandName redis-latency ")]
    public async Task Completion_OfAShell_SaysWhoCompletes(string shell, string text)
    {
        await using var tool = ServiceProcess.StartScript(Program, "completion", shell);

        (await tool.End()).ShouldBe(0, tool.ToString());

        tool.Output.ToString().ShouldContain(text);
    }
}
