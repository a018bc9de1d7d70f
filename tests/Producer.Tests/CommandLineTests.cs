using RedisLatency.Fixtures;

namespace RedisLatency.Producer.Tests;

/// <summary>The Producer's own options, as a user meets them: nothing is sent where one is wrong.</summary>
public class CommandLineTests
{
    [Theory]
    [InlineData("--rate 1e9", "--rate 1e9: at most 10,000,000 messages per second")]
    [InlineData("--arrival sometimes", "--arrival sometimes: one of uniform, poisson is needed")]
    [InlineData("--payload-size 2MiB", "--payload-size 2MiB: at most 1MiB")]
    [InlineData("--iterations 0", "--iterations 0: at least 1 message")]
    [InlineData("--duration 5", "--duration 5: a duration needs a unit, for instance 5ms or 5s")]
    [InlineData("--warmup soon", "--warmup soon: a time such as 2s is needed, or a number of messages")]
    [InlineData("--streams 257", "--streams 257: at most 256 streams")]
    [InlineData("--max-in-flight 0", "--max-in-flight 0: at least 1 message")]
    [InlineData("--receive-deadline 2h", "--receive-deadline 2h: at most 1h")]
    [InlineData("--cpu -1", "--cpu -1: at least 0")]
    [InlineData("--payload counter --payload-size 5", "a plain count has no payload")]
    [InlineData("--payload counter --streams 2", "plain counts have one stream")]
    [InlineData("--channel a --reply-channel a", "they must differ, or the Consumer would answer itself")]
    [InlineData("--redis a --redis b --redis c", "at most two endpoints can be compared")]
    [InlineData("--rendezvous-timeout 30s", "unknown option --rendezvous-timeout: use --peer-timeout 30s")]
    [InlineData("--threshold rtt<2", "--threshold rtt<2: rtt needs a statistic, for instance rtt.p99")]
    [InlineData("--threshold lots==0", "there is no metric lots; did you mean lost?")]
    public async Task Option_ThatCannotBe_IsRefusedWithItsReason(string arguments, string reason)
    {
        await using var producer = ServiceProcess.Start("Producer", arguments.Split(' '));

        (await producer.End()).ShouldBe(2, producer.ToString());
        producer.Errors.ToString().ShouldContain(reason);
        producer.Output.Lines.ShouldBeEmpty();
    }

    [Fact]
    public async Task Options_ThatCannotBe_AreToldAtOnceWithTheirOrigin()
    {
        await using var producer = ServiceProcess.Start(
            "Producer",
            new Dictionary<string, string>
            {
                ["REDISLATENCY__Producer__Rate"] = "1e9",
                ["REDISLATENCY__Producer__WarmUp"] = "soon",
            },
            "--streams", "0");

        (await producer.End()).ShouldBe(2);
        var errors = producer.Errors.ToString();
        errors.ShouldContain("--rate 1e9: at most 10,000,000 messages per second "
            + "(from the environment, REDISLATENCY__Producer__Rate)");
        errors.ShouldContain("(from the environment, REDISLATENCY__Producer__WarmUp)");
        errors.ShouldContain("--streams 0: at least 1 stream");
    }

    [Fact]
    public async Task Help_BeginsWithExamples_AndNamesTheEnvironment()
    {
        await using var producer = ServiceProcess.Start("Producer", "--help");

        (await producer.End()).ShouldBe(0);
        var help = producer.Output.Lines;
        var example = $"  {BuiltProgram.TypedFor("Producer")} ";
        help.ShouldAllBe(line => line.Length <= 80 || line.StartsWith(example, StringComparison.Ordinal));
        string[] options =
        [
            "--redis", "--driver", "--channel", "--reply-channel", "--payload", "--payload-size", "--rate", "--arrival",
            "--iterations", "--duration", "--warmup", "--streams", "--receive-deadline", "--busy-poll", "--cpu",
            "--cpu-dma-latency", "--floor", "--run", "--region", "--instance", "--out", "--format", "--live", "--quiet",
            "--verbose", "--threshold", "--max-in-flight", "--peer-timeout",
        ];
        foreach (var option in options)
            help.ShouldContain(line => line.Contains(option, StringComparison.Ordinal), option);
        string.Join('\n', help).ShouldContain("REDISLATENCY__Producer__Rate");
        string.Join('\n', help).IndexOf("--payload counter --threshold", StringComparison.Ordinal)
            .ShouldBeInRange(0, string.Join('\n', help).IndexOf("--arrival", StringComparison.Ordinal));
    }
}
