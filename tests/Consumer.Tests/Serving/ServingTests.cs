using System.Diagnostics;
using System.Numerics;
using RedisLatency.Fixtures;
using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Consumer.Tests.Serving;

public sealed class ServingTests
{
    [Theory]
    [InlineData("raw")]
    [InlineData("stackexchange")]
    public async Task ProducerInAnotherLanguage_GetsEveryPlainCountBackUnchanged(string driver)
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--channel", "ping", "--reply-channel", "pong", "--driver", driver);

        var script = Path.Combine(AppContext.BaseDirectory, "Serving", "foreign_producer.py");
        var start = new ProcessStartInfo(ServerRequirement.Require("python3"), [script, $"{server.Port}", "ping", "pong", "1000"])
        {
            RedirectStandardOutput = true,
        };
        using var python = Process.Start(start)!;
        var said = await python.StandardOutput.ReadToEndAsync(ConsumerTest.Cancellation);
        await python.WaitForExitAsync(ConsumerTest.Cancellation);

        said.ShouldBe("1000 counts came back\n");
        (await consumer.EndBy("TERM")).ShouldBe(143);
        var record = ConsumerTest.RecordOf(consumer);
        ConsumerTest.SummaryOf(record, "plain counts").Count(Counted.Received).ShouldBe(1_000);
        ConsumerTest.SummaryOf(record, "all").Count(Counted.Echoed).ShouldBe(1_000);
        record.Targets.ShouldHaveSingleItem().Driver.ShouldBe(driver);
    }

    [Fact]
    public async Task TwoProducersAtOnce_AreTwoRowsWithExactCounts()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var first = new FramedProducer(server, "a", rate: 5_000, region: "eu-west");
        using var second = new FramedProducer(server, "b");

        await Task.WhenAll(Produce(first, 2_000), Produce(second, 1_000, ends: false));

        (await consumer.EndBy("TERM")).ShouldBe(143);
        var record = ConsumerTest.RecordOf(consumer);
        var one = ConsumerTest.SummaryOf(record, "default/a/0");
        one.Count(Counted.Received).ShouldBe(2_000);
        one.Count(Counted.Sent).ShouldBe(2_000);
        one.Count(Counted.Lost).ShouldBe(0);
        one.Count(Counted.Echoed).ShouldBe(2_100);
        one.Peers.ShouldBe(["a in eu-west"]);
        var two = ConsumerTest.SummaryOf(record, "default/b/0");
        two.Count(Counted.Received).ShouldBe(1_000);
        two.Count(Counted.Sent).ShouldBeNull();
        ConsumerTest.SummaryOf(record, "all").Latencies.ShouldHaveSingleItem().Count.ShouldBe(3_000);
        var columns = new[] { "default/a/0", "eu-west", "2,000", "100", "0", "0", "0", "yes" };
        consumer.Output.Lines.ShouldContain(line => Words(line).SequenceEqual(columns), $"{consumer}");
        consumer.Output.Lines[^1].ShouldBe(
            $"RESULT role=consumer verdict=valid partial=false target=127.0.0.1:{server.Port} served=2 echoed=3201 exit=143");
    }

    [Fact]
    public async Task AProducerThatAsksAgain_HearsWhatItsThreadsWaitedForAProcessorSoFar()
    {
        if (!ProcessorWaits.AreCounted)
            Assert.Skip("this kernel does not count what threads wait for.");
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var producer = new FramedProducer(server, "a");
        var before = producer.FindConsumers().ShouldHaveSingleItem().Content!.Waits.ShouldNotBeNull();
        producer.Send(500);

        await Eventually.Is(
            "it was watched on", () => producer.AskAgain().Content!.Waits!.Since(before) is { Slots: > 10, ElapsedNs: > 0 });
    }

    /// <summary>Neither what it waited for a Producer is in it, nor the warm-up.</summary>
    [Fact]
    public async Task Rate_IsOfTheMeasuredMessages_FromTheFirstToTheLast()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var producer = new FramedProducer(server, "a");
        producer.FindConsumers();
        producer.Send(100, isWarmUp: true);

        var before = Stopwatch.GetTimestamp();
        producer.Send(500);
        var most = Stopwatch.GetElapsedTime(before);
        producer.End();

        (await consumer.EndBy("TERM")).ShouldBe(143);
        var all = ConsumerTest.SummaryOf(ConsumerTest.RecordOf(consumer), "all");
        all.Rates.Achieved.ShouldNotBeNull().ShouldBeGreaterThanOrEqualTo(499 / most.TotalSeconds);
    }

    [Fact]
    public async Task Thresholds_OnWhatWasLost_AreNotKnownWhereAnEndDidNotCome()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--threshold", "lost==0", "--threshold", "lost<=0.1%", "--threshold", "received>=99%",
            "--threshold", "received>=1");
        using var producer = new FramedProducer(server, "a");

        await Produce(producer, 100, ends: false);

        (await consumer.EndBy("TERM")).ShouldBe(4, $"{consumer}");
        var thresholds = ConsumerTest.RecordOf(consumer).Thresholds;
        thresholds.Select(threshold => threshold.Held).ShouldBe([null, null, null, true]);
        thresholds[0].Reason.ShouldBe(
            "? lost == 0   how many messages were lost is not known, because the end of 1 stream did not come");
    }

    [Fact]
    public async Task ConsumerThatComesWhileAProducerIsAtWork_CountsFromThere_AndDamagesNothing()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var first = await ConsumerTest.Serve(server, "--instance", "first");
        using var producer = new FramedProducer(server, "a", rate: 2_000);
        using var stop = new CancellationTokenSource();
        var sending = Task.Run(() => SendUntil(producer, stop.Token), ConsumerTest.Cancellation);
        await MoreReturned(producer, 200);

        await using var second = await ConsumerTest.Serve(server, "--instance", "second", "--threshold", "lost==0");
        await MoreReturned(producer, 500);
        await stop.CancelAsync();
        await sending;
        producer.End();

        (await second.EndBy("TERM")).ShouldBe(143, $"{second}");
        var record = ConsumerTest.RecordOf(second);
        ConsumerTest.SummaryOf(record, "all").Count(Counted.Lost).ShouldBe(0);
        record.Verdict.Reasons.ShouldContain(reason => reason.Contains("were sent before this Consumer heard of them"));
        producer.Sender.Counts.Corrupted.ShouldBe(0);
        producer.Sender.Ledgers.Select(ledger => ledger.Count(producer.Sender.Counts.Sent).Lost).ShouldBe([0, 0]);
    }

    [Fact]
    public async Task ConsumerThatLostMoreThanAHundredth_IsNotValid()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var producer = new FramedProducer(server, "a", rate: 5_000, deadline: TimeSpan.FromSeconds(1));
        using var stop = new CancellationTokenSource();
        var sending = Task.Run(() => SendUntil(producer, stop.Token), ConsumerTest.Cancellation);
        await MoreReturned(producer, 200);

        // What is published while nobody listens is gone.
        using (var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            var from = producer.Sender.Counts.Sent;
            while (producer.Sender.Counts.Sent < from + 1_000)
                Kill(control, "redislatency-consumer");
        }

        await MoreReturned(producer, 100);
        await stop.CancelAsync();
        await sending;
        producer.End();

        (await consumer.EndBy("TERM")).ShouldBe(4, $"{consumer}");
        var record = ConsumerTest.RecordOf(consumer);
        var counts = ConsumerTest.SummaryOf(record, "all").Metrics;
        (counts.Count(Counted.Lost) ?? 0).ShouldBeGreaterThan(50);
        (counts.Count(Counted.Received) + counts.Count(Counted.Lost)).ShouldBe(producer.Sender.Counts.Sent);
        record.Verdict.Reasons[0].ShouldEndWith(
            "of the messages never came, so the 99th percentile of all is not known.");
    }

    [Fact]
    public async Task ParallelStreams_AreServedEachOnItsOwnChannels()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--streams", "2");
        using var first = new FramedProducer(server, "one", stream: 0);
        using var second = new FramedProducer(server, "one", stream: 1);

        await Task.WhenAll(Produce(first, 50), Produce(second, 70));

        await consumer.EndBy("TERM");
        var record = ConsumerTest.RecordOf(consumer);
        ConsumerTest.SummaryOf(record, "default/one/0").Count(Counted.Received).ShouldBe(50);
        ConsumerTest.SummaryOf(record, "default/one/1").Count(Counted.Received).ShouldBe(70);
    }

    [Fact]
    public async Task ForeignAndDamagedMessages_AreCountedAndNotAnswered()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var peer = new Peer(server);
        var damaged = Frame();
        damaged[^1] ^= 1;
        var newer = Frame();
        newer[4]++; // The version, as docs/frame.md says.

        peer.Send("no number");
        peer.Send("-1x");
        peer.Send(damaged);
        peer.Send(newer);
        peer.Send(TooLong());
        peer.Send(new byte[4 << 20]);

        peer.ExpectNothingBut("7");
        await consumer.EndBy("TERM");
        var record = ConsumerTest.RecordOf(consumer);
        var all = ConsumerTest.SummaryOf(record, "all").Metrics;
        all.Count(Counted.Foreign).ShouldBe(3);
        all.Count(Counted.Corrupted).ShouldBe(2);
        all.Count(Counted.Echoed).ShouldBe(1);
        ConsumerTest.SummaryOf(record, "other version").Count(Counted.Received).ShouldBe(1);
        consumer.Output.Lines.ShouldContain("  not answered: foreign 3, corrupted 2, other version 1");
    }

    [Fact]
    public async Task AnEchoOnItsOwnChannel_IsNotAnsweredAgain()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var peer = new Peer(server);

        peer.Send(Frame());
        var echo = peer.Receive();
        peer.Send(echo);

        peer.ExpectNothingBut("8");
        await consumer.EndBy("TERM");
        ConsumerTest.SummaryOf(ConsumerTest.RecordOf(consumer), "all").Count(Counted.Foreign).ShouldBe(1);
    }

    [Fact]
    public async Task SecondProducerOfOneName_IsToldThatTheNameIsTaken()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using var first = new FramedProducer(server, "twin", rate: 200);
        using var second = new FramedProducer(server, "twin");
        using var stop = new CancellationTokenSource();
        first.FindConsumers().Count.ShouldBe(1);
        first.Send(1);

        var working = Task.Run(() => first.SendUntil(stop.Token), ConsumerTest.Cancellation);
        second.FindConsumers().ShouldBeEmpty();
        await stop.CancelAsync();
        await working;

        second.IsNameTaken.ShouldBeTrue();
    }

    [Fact]
    public async Task ServerKilledAndStartedAgain_IsServedAgain()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using (var before = new Peer(server))
            before.ExpectNothingBut("1");

        await server.Kill();
        await consumer.Errors.WaitFor("connection was lost");
        await server.Restart();

        using var after = new Peer(server);
        var deadline = Stopwatch.StartNew();
        byte[]? answer = null;
        while (answer is null && deadline.Elapsed < ServiceProcess.LimitAgainstHangs)
        {
            after.Send("2");
            answer = after.TryReceive(TimeSpan.FromMilliseconds(100));
        }

        answer.ShouldNotBeNull();
        (await consumer.EndBy("TERM")).ShouldBe(143);
        ConsumerTest.RecordOf(consumer).Events.ShouldContain(happened => happened.Kind == "lost");
        consumer.Output.Lines.ShouldContain("  connections lost: 1");
    }

    [Fact]
    public async Task ServerThatStaysAway_EndsTheConsumerWith5AndItsResults()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--reconnect-timeout", "200ms");
        using (var peer = new Peer(server))
            peer.ExpectNothingBut("1");

        await server.Kill();

        (await consumer.End()).ShouldBe(5, $"{consumer}");
        var record = ConsumerTest.RecordOf(consumer);
        record.Partial.ShouldBeTrue();
        record.Verdict.IsMeasured.ShouldBeFalse();
        ConsumerTest.SummaryOf(record, "plain counts").Count(Counted.Received).ShouldBe(1);
        consumer.Output.Lines[^1].ShouldEndWith("exit=5");
    }

    private static Task Produce(FramedProducer producer, long messages, bool ends = true) => Task.Run(
        () =>
        {
            producer.FindConsumers().Count.ShouldBe(1);
            producer.Send(100, isWarmUp: true);
            producer.Send(messages);
            if (ends)
                producer.End();
            producer.Sender.Counts.Returned.ShouldBe(messages);
        },
        ConsumerTest.Cancellation);

    private static void SendUntil(FramedProducer producer, CancellationToken stop)
    {
        producer.FindConsumers().Count.ShouldBe(1);
        producer.SendUntil(stop);
    }

    private static Task MoreReturned(FramedProducer producer, long messages)
    {
        var before = producer.Sender.Counts.Returned;
        return Eventually.Is("messages come back", () => producer.Sender.Counts.Returned > before + messages);
    }

    private static void Kill(RedisConnection control, string name)
    {
        foreach (var client in control.Execute("CLIENT", "LIST").Text.Split('\n'))
        {
            if (client.Contains($" name={name}", StringComparison.Ordinal))
                control.Execute("CLIENT", "KILL", "ID", client.Split(' ')[0]["id=".Length..]);
        }
    }

    private static byte[] Frame()
    {
        var frame = new FrameBuffer(run: 1, producer: 2, stream: 0, maxPayloadLength: 4);
        frame.SetPayload([1, 2, 3, 4]);
        frame.Stamp(MessageKind.Message, FrameFlags.None, 0, 10, 20);
        return frame.Bytes.ToArray();
    }

    // As docs/frame.md has it, and one byte longer than a frame may be.
    private static byte[] TooLong()
    {
        const int Header = 88;
        byte[] frame = [.. Frame()[..Header], .. new byte[(1 << 20) + 1]];
        BitConverter.TryWriteBytes(frame.AsSpan(12), frame.Length - Header);
        var checksum = frame.Skip(Header).Concat(frame.Take(56)).Aggregate(uint.MaxValue, BitOperations.Crc32C);
        BitConverter.TryWriteBytes(frame.AsSpan(56), ~checksum);
        return frame;
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
