using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Faults;

/// <summary>A real server that dies, stands still, or drops a subscriber in the middle of a measurement.</summary>
public sealed class ServerFaultTests : FaultTest
{
    private static readonly string[] LostAndRestored = ["disconnected", "reconnected"];
    private static readonly string[] ForLong = ["--duration", "10m", "--receive-deadline", "1s"];

    [Theory]
    [InlineData("raw", "1000")]
    [InlineData("raw", "0")]
    [InlineData("stackexchange", "1000")]
    public async Task Server_KilledAndRestarted_IsReconnectedAndWhatWasMissedIsCounted(string driver, string rate)
    {
        var server = await StartServer();
        await StartPair(server.Uri, driver, ["--rate", rate, .. ForLong]);

        await server.Kill();
        await Intervals(3);
        await server.Restart();
        await BothSubscribed(server.Uri);
        await Intervals(2);
        Producer.Signal("TERM");

        // The closed loop asks for nothing while there is nobody to ask.
        var record = await ProducerEnded(rate == "0" ? 143 : 4);
        var counts = record.Summaries[0].Metrics;
        if (rate != "0")
            counts.Count(Counted.Unsent).ShouldNotBeNull().ShouldBeGreaterThan(1_000);
        record.Events.Select(happening => happening.Kind).ShouldBe(LostAndRestored, Producer.ToString());
        var served = await ConsumerEnded();
        served.Count(Counted.Echoed).ShouldNotBeNull().ShouldBeGreaterThanOrEqualTo(
            counts.Count(Counted.Returned)!.Value + counts.Count(Counted.Late)!.Value);
        served.Count(Counted.Echoed).ShouldNotBeNull().ShouldBeLessThanOrEqualTo(counts.Count(Counted.Sent)!.Value + 2);
    }

    [Theory]
    [InlineData(5, "--rate", "1000")]
    [InlineData(5, "--rate", "0")]
    [InlineData(5, "--rate", "1000", "--threshold", "sent==1")]
    [InlineData(6, "--rate", "1000", "--threshold", "sent==1", "--out", "/dev/null/results")]
    public async Task Server_KilledForGood_EndsTheRunWithWhatThereIs(int exitCode, params string[] arguments)
    {
        var server = await StartServer();
        await StartPair(server.Uri, "raw", [.. ForLong, "--reconnect-timeout", "300ms", .. arguments]);

        await server.Kill();

        var record = await ProducerEnded(exitCode);
        record.Partial.ShouldBeTrue();
        record.PartialReason.ShouldBe(
            "The connection was lost and could not be restored within 0.3 s: "
            + $"{server.Uri}/0: nobody listens there (connection refused); is the server running, and is the port "
            + "right?");
        var (counts, rates) = (record.Summaries[0].Metrics, record.Summaries[0].Rates.ShouldNotBeNull());
        counts.Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
        if (rates.Asked is { } asked)
        {
            var sent = (double)counts.Count(Counted.Sent)!.Value / counts.Count(Counted.Asked)!.Value;
            (rates.Achieved!.Value / asked).ShouldBeLessThan(1.01 * sent, "of ten minutes most were never sent");
        }

        Directory.GetFiles(Producer.Folder, "run.json", SearchOption.AllDirectories).Length
            .ShouldBe(exitCode == 6 ? 0 : 1);
    }

    [Fact]
    public async Task Server_PausedForLongerThanTheDeadline_MakesMessagesLateAndLosesNone()
    {
        var server = await StartServer();
        await StartPair(server.Uri, "raw", "--rate", "500", "--duration", "10m", "--receive-deadline", "100ms");

        server.Pause();
        await Intervals(2);
        server.Resume();
        await Intervals(2);
        Producer.Signal("TERM");

        var counts = (await ProducerEnded(143)).Summaries[0].Metrics;
        counts.Count(Counted.Late).ShouldNotBeNull().ShouldBeGreaterThan(100, Producer.ToString());
        counts.Count(Counted.Lost).ShouldBe(0);
        (await ConsumerEnded()).Count(Counted.Received).ShouldBe(counts.Count(Counted.Sent));
    }

    [Fact]
    public async Task Subscriber_DroppedForItsOutputBuffer_ReconnectsAndCountsWhatItMissed()
    {
        var server = await StartServer("--client-output-buffer-limit", "pubsub 1mb 0 0");
        await StartPair(server.Uri, "raw", ["--rate", "1000", .. ForLong]);
        using var control = Control(server.Uri);
        var garbage = new string('x', 256 << 10);

        // Messages are under way when the Consumer stands still. A Producer that stands still reads nothing: the server
        // gives up on it once the kernel's buffers are full. The echoes then go to nobody.
        Consumer.Signal("STOP");
        await Intervals(1);
        Producer.Signal("STOP");
        while (control.Request("PUBLISH", Pong, garbage).Number > 0)
        {
        }

        await Intervals(Consumer, 2, () => Consumer.Signal("CONT"));
        Producer.Signal("CONT");
        await BothSubscribed(server.Uri);
        await Intervals(2);
        Producer.Signal("TERM");

        var record = await ProducerEnded(4, 143);
        var counts = record.Summaries[0].Metrics;
        counts.Count(Counted.Lost).ShouldNotBeNull().ShouldBeGreaterThan(0);
        counts.Count(Counted.Foreign).ShouldNotBeNull().ShouldBeGreaterThan(0);
        record.Events.Select(happening => happening.Kind).ShouldBe(LostAndRestored, Producer.ToString());
        (await ConsumerEnded()).Count(Counted.Received).ShouldBe(counts.Count(Counted.Sent));
    }

    [Fact]
    public async Task Messages_OfOthersOnTheReplyChannel_AreToldApart()
    {
        var server = await StartServer();
        await StartPair(server.Uri, "raw", ["--rate", "500", .. ForLong]);
        using var control = Control(server.Uri);

        for (var i = 0; i < 7; i++)
            control.Execute("PUBLISH", Pong, "garbage");
        for (var i = 0; i < 3; i++)
            control.Execute("PUBLISH", Pong, "RLAT and then nothing that is right");
        control.Execute("PUBLISH", Ping, "garbage");
        await Intervals(1);
        Producer.Signal("TERM");

        var record = await ProducerEnded(143);
        var counts = record.Summaries[0].Metrics;
        (counts.Count(Counted.Foreign), counts.Count(Counted.Corrupted), counts.Count(Counted.Lost))
            .ShouldBe((7, 3, 0), Producer.ToString());
        var reasons = string.Join('\n', record.Verdict.Reasons);
        reasons.ShouldContain("7 messages of other programs");
        reasons.ShouldContain("3 damaged messages");
        (await ConsumerEnded()).Count(Counted.Foreign).ShouldBe(1);
    }

    [Fact]
    public async Task Right_TakenAwayInTheMiddle_IsNotValidAndSaysWhich()
    {
        var server = await StartServer();
        await StartPair(server.Uri, "raw", ["--rate", "500", .. ForLong]);
        using (var control = Control(server.Uri))
            control.Execute("ACL", "SETUSER", "default", "-publish");

        // The server answers: it is not lost.
        var record = await ProducerEnded(4);

        record.PartialReason.ShouldNotBeNull().ShouldContain("NOPERM");
        record.PartialReason.ShouldStartWith(server.Uri);
    }
}
