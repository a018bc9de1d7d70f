using RedisLatency.Consumer.Tests.Serving;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Consumer.Tests.Running;

public sealed class EndingTests
{
    [Theory]
    [InlineData("TERM", 143)]
    [InlineData("INT", 130)]
    public async Task Signal_WhileServing_EndsWithItsCodeAndSavesWhatWasServed(string signal, int exitCode)
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--instance", "c1", "--region", "eu-west");
        using (var producer = new FramedProducer(server, "p1"))
        {
            producer.FindConsumers().ShouldHaveSingleItem().Content!.Instance.ShouldBe("c1");
            producer.Send(100);
            producer.End();
        }

        (await consumer.EndBy(signal)).ShouldBe(exitCode);

        var record = ConsumerTest.RecordOf(consumer);
        record.Role.ShouldBe("consumer");
        record.Region.ShouldBe("eu-west");
        record.Partial.ShouldBeFalse();
        record.Verdict.IsMeasured.ShouldBeTrue();
        record.ExitCode.ShouldBe(exitCode);
        ConsumerTest.SummaryOf(record, "default/p1/0").Count(Counted.Received).ShouldBe(100);
        File.ReadAllLines(Path.Combine(ConsumerTest.ResultsOf(consumer), "latency.hlog"))
            .ShouldContain(line => line.StartsWith("Tag=residence,", StringComparison.Ordinal));
        consumer.Output.Lines[^1].ShouldBe(
            $"RESULT role=consumer verdict=valid partial=false target=127.0.0.1:{server.Port} served=1 echoed=101 "
            + $"exit={exitCode}");
    }

    [Fact]
    public async Task Duration_EndsWithZero()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--duration", "50ms");

        (await consumer.End()).ShouldBe(0, $"{consumer}");

        ConsumerTest.RecordOf(consumer).Partial.ShouldBeFalse();
        consumer.Output.Lines.ShouldContain(
            "  No producer sent anything on this channel while this Consumer served.");
    }

    [Fact]
    public async Task Signal_BeforeTheDurationIsOver_IsPartial()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--duration", "1h");

        (await consumer.EndBy("TERM")).ShouldBe(143);

        ConsumerTest.RecordOf(consumer).Partial.ShouldBeTrue();
    }

    [Fact]
    public async Task ThresholdThatIsMissed_EndsWith99()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--duration", "50ms", "--threshold", "received>=1", "--threshold", "lost==0");

        (await consumer.End()).ShouldBe(99, $"{consumer}");
    }

    [Fact]
    public async Task ResultsThatCannotBeWritten_AreStillPrinted()
    {
        await using var server = await ConsumerTest.StartServer();
        var file = Path.Combine(server.Folder, "file");
        await File.WriteAllTextAsync(file, "in the way", ConsumerTest.Cancellation);
        await using var consumer = await ConsumerTest.Serve(server, "--out", file);
        using (var peer = new Peer(server))
            peer.ExpectNothingBut("3");

        (await consumer.EndBy("TERM")).ShouldBe(6);

        consumer.Errors.Lines.ShouldContain(line => line.Contains("Results are not saved: ", StringComparison.Ordinal));
        consumer.Output.Lines.ShouldContain("  not written");
        consumer.Output.Lines[^1].ShouldBe(
            $"RESULT role=consumer verdict=valid partial=false target=127.0.0.1:{server.Port} served=0 echoed=1 exit=6");
    }
}
