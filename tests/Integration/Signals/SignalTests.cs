using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Signals;

/// <summary>
/// SIGINT and SIGTERM in every phase of a Producer but the last: the report is over too soon to be met in it, and a
/// signal that comes then stops nothing. Every time limit is longer than the test's own, so that only the signal ends.
/// </summary>
public class SignalTests : PairTest
{
    protected override ServiceProcess Start(string project, params string[] arguments) =>
        ServiceProcess.Start(project, arguments);

    public static TheoryData<string, int> Signals => new() { { "INT", 130 }, { "TERM", 143 } };

    [Theory]
    [MemberData(nameof(Signals))]
    public async Task Signal_WhileConnecting_MeasuresNothing(string signal, int exitCode)
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var port = ((IPEndPoint)silent.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        var producer = Own(Start(
            "Producer", "--redis", $"127.0.0.1:{port}", "--connect-timeout", "10m", "--command-timeout", "10m"));
        using var accepted = await silent.AcceptTcpClientAsync(TestContext.Current.CancellationToken);

        await ExpectNothingMeasured(producer, signal, exitCode);
    }

    [Theory]
    [MemberData(nameof(Signals))]
    public async Task Signal_WhileWaitingForAConsumer_MeasuresNothing(string signal, int exitCode)
    {
        var producer = StartProducer("--peer-timeout", "10m");
        await producer.Errors.WaitFor("in another terminal");

        await ExpectNothingMeasured(producer, signal, exitCode);
    }

    [Theory]
    [MemberData(nameof(Signals))]
    public async Task Signal_WhileWarmingUp_MeasuresNothing(string signal, int exitCode)
    {
        var consumer = await StartConsumer("--live", "plain");
        var producer = StartProducer("--warmup", "10m", "--rate", "100");
        await producer.Errors.WaitFor("Warming up");
        await consumer.Errors.WaitFor(" warm-up ");

        await ExpectNothingMeasured(producer, signal, exitCode);
    }

    [Theory]
    [MemberData(nameof(Signals))]
    public async Task Signal_WhileMeasuring_SavesWhatThereIs(string signal, int exitCode)
    {
        await StartConsumer();
        var producer = StartProducer("--duration", "10m", "--rate", "1000", "--warmup", "0");
        await producer.Errors.WaitFor(" measure ");

        await ExpectPartialResults(producer, signal, exitCode);
    }

    [Theory]
    [MemberData(nameof(Signals))]
    public async Task Signal_WhileDraining_SavesWhatThereIs(string signal, int exitCode)
    {
        await StartConsumer();
        // Four seconds: the first line comes after one, and a busy machine must pause the server before the last.
        var producer = StartProducer(
            "--rate", "250", "--iterations", "1000", "--warmup", "0", "--receive-deadline", "10m");
        await producer.Errors.WaitFor(" measure ");
        Server.Pause();
        await Eventually.Is("a second passes in which nothing is sent", () => SavedRun.Of(producer).Intervals(out _)
            .Any(interval => interval.Tag == "lateness" && interval.Histogram.TotalCount == 0));
        producer.Signal(signal);
        await producer.Errors.WaitFor("draining and reporting");
        Server.Resume();

        (await producer.End()).ShouldBe(exitCode, producer.ToString());

        var run = SavedRun.Of(producer);
        run.Record.Partial.ShouldBeTrue();
        run.Count(Counted.Sent).ShouldBe(1_000);
        run.Count(Counted.Returned).ShouldBe(1_000);
    }

    private static async Task ExpectNothingMeasured(ServiceProcess producer, string signal, int exitCode)
    {
        (await producer.EndBy(signal)).ShouldBe(exitCode, producer.ToString());
        producer.Errors.ToString().ShouldContain("nothing was measured");
        producer.Output.Lines.ShouldBeEmpty();
        SavedRun.FoldersOf(producer).ShouldBeEmpty();
    }

    private static async Task ExpectPartialResults(ServiceProcess producer, string signal, int exitCode)
    {
        (await producer.EndBy(signal)).ShouldBe(exitCode, producer.ToString());
        var run = SavedRun.Of(producer);
        run.Record.Partial.ShouldBeTrue();
        run.Record.ExitCode.ShouldBe(exitCode);
        run.Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
        run.Count(Counted.Returned).ShouldBe(run.Count(Counted.Sent));
        run.Series("rtt").Count.ShouldBe(run.Merged("rtt").TotalCount);
        producer.Output.ToString().ShouldContain(", PARTIAL: stopped by a signal");
        producer.Output.ToString().ShouldContain(run.Folder);
        producer.Output.Lines[^1].ShouldContain($"partial=true");
        producer.Output.Lines[^1].ShouldEndWith($"exit={exitCode}");
    }
}
