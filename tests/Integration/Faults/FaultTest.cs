using System.Diagnostics;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Integration.Faults;

/// <summary>A Producer and a Consumer as processes of their own, on a server that something happens to.</summary>
public abstract class FaultTest : IAsyncLifetime
{
    protected const string Ping = "redislatency:default:ping";
    protected const string Pong = "redislatency:default:pong";

    private readonly List<IAsyncDisposable> _started = [];

    protected ServiceProcess Consumer { get; private set; } = null!;

    protected ServiceProcess Producer { get; private set; } = null!;

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        for (var i = _started.Count - 1; i >= 0; i--)
            await _started[i].DisposeAsync();
        GC.SuppressFinalize(this);
    }

    protected async Task<RedisServerProcess> StartServer(params string[] arguments) =>
        Own(await RedisServerProcess.Start("redis-server", arguments));

    /// <summary>Starts both; the Producer has measured for an interval when this returns.</summary>
    protected async Task StartPair(string endpoint, string driver, params string[] arguments)
    {
        await StartBoth(endpoint, driver, arguments);
        await Producer.Errors.WaitFor(" measure ");
    }

    /// <summary>Starts both; they print JSON at their end.</summary>
    protected async Task StartBoth(string endpoint, string driver, params string[] arguments)
    {
        string[] shared = ["--redis", endpoint, "--driver", driver, "--format", "json"];
        Consumer = Own(ServiceProcess.Start("Consumer", shared));
        await Consumer.Errors.WaitFor("Serving ");
        Producer = Own(ServiceProcess.Start("Producer", [.. shared, "--warmup", "0", .. arguments]));
    }

    /// <summary>Waits until the Producer has logged so many more intervals of the measured phase.</summary>
    protected Task Intervals(int more) => Intervals(Producer, more);

    /// <summary>Waits until a service has logged so many more intervals of the measured phase.</summary>
    /// <param name="service">Which.</param>
    /// <param name="more">How many.</param>
    /// <param name="begin">Done first; what it logs meanwhile counts.</param>
    protected static Task Intervals(ServiceProcess service, int more, Action? begin = null)
    {
        var wanted = SavedRun.IntervalsLoggedBy(service) + more;
        begin?.Invoke();
        return Until(() => SavedRun.IntervalsLoggedBy(service) >= wanted || service.HasExited);
    }

    /// <summary>Waits until both have subscribed again.</summary>
    protected static async Task BothSubscribed(string endpoint)
    {
        using var control = Control(endpoint);
        await Until(() => control.Request("PUBSUB", "NUMSUB", Ping).Items[1].Number == 1
            && control.Request("PUBSUB", "NUMSUB", Pong).Items[1].Number == 1);
    }

    protected static RedisConnection Control(string endpoint) => RedisConnection.Open(RedisEndpoint.Parse(endpoint), Patience.Connection);

    /// <summary>Waits for the end of the Producer, which never ends with a stack trace.</summary>
    /// <param name="exitCodes">One of them; several where a busy machine may lose more or less.</param>
    /// <returns>Its record, whose sums have been checked.</returns>
    protected async Task<RunRecord> ProducerEnded(params int[] exitCodes)
    {
        var exitCode = await Producer.End();
        exitCodes.ShouldContain(exitCode, Producer.ToString());
        var record = RecordOf(Producer);
        record.ExitCode.ShouldBe(exitCode);
        var counts = record.Summaries.ShouldHaveSingleItem().Metrics;
        counts.Count(Counted.Asked).ShouldBe(counts.Count(Counted.Sent) + counts.Count(Counted.Unsent),
            Producer.ToString());
        counts.Count(Counted.Sent).ShouldBe(counts.Count(Counted.Returned) + counts.Count(Counted.Late)
            + counts.Count(Counted.Lost), Producer.ToString());
        return record;
    }

    /// <summary>Ends the Consumer.</summary>
    /// <returns>Its counts over all producers.</returns>
    protected async Task<IReadOnlyList<RecordedMetric>> ConsumerEnded()
    {
        var code = await Consumer.EndBy("TERM");
        var counts = RecordOf(Consumer).Summaries[0].Metrics;
        // What was published while it had no connection is lost to it.
        code.ShouldBe(counts.Count(Counted.Lost) > 0.01 * (counts.Count(Counted.Lost)
            + counts.Count(Counted.Received)) ? 4 : 143, Consumer.ToString());
        return counts;
    }

    private static RunRecord RecordOf(ServiceProcess service)
    {
        service.ToString().ShouldNotContain("   at ");
        return RunRecordReader.Parse("standard output", Encoding.UTF8.GetBytes(service.Output.ToString()));
    }

    private T Own<T>(T started)
        where T : IAsyncDisposable
    {
        _started.Add(started);
        return started;
    }

    private static async Task Until(Func<bool> condition)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > ServiceProcess.LimitAgainstHangs)
                throw new TimeoutException("What was waited for did not happen.");
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }
    }
}
