using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture.Documents;

/// <summary>The consumers in <c>docs/frame.md</c> answer as they stand there.</summary>
public sealed class ExampleConsumerTests
{
    private const string Fence = "```";

    [Theory]
    [InlineData("PUBLISH pong", "counter")]
    [InlineData("RLAT", "frame")]
    public async Task ConsumerOfTheFramePage_AnswersTheProducer(string mark, string payload)
    {
        await using var server = await RedisServerProcess.Start();
        var program = Path.Combine(server.Folder, "consumer.py");
        await File.WriteAllTextAsync(program, ExampleWith(mark), TestContext.Current.CancellationToken);
        using var consumer = Process.Start(
            ServerRequirement.Require("python3"), [program, server.Port.ToString(CultureInfo.InvariantCulture)]);
        try
        {
            await using var producer = ServiceProcess.Start(
                "Producer", "--redis", server.Uri, "--payload", payload, "--rate", "0", "--warmup", "0", "-n", "50");

            var exitCode = await producer.End();

            exitCode.ShouldBe(0, producer.ToString());
            producer.Output.Lines[^1].ShouldContain("sent=50 returned=50 lost=0");
        }
        finally
        {
            consumer.Kill();
        }
    }

    private static string ExampleWith(string mark) =>
        File.ReadAllText(RepositoryRoot.Combine("docs", "frame.md")).Split($"{Fence}python\n")
            .Skip(1)
            .Select(rest => rest[..rest.IndexOf(Fence, StringComparison.Ordinal)])
            .Single(example => example.Contains(mark, StringComparison.Ordinal));
}
