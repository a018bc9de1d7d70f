using RedisLatency.Fixtures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Consumer.Tests;

/// <summary>What the tests of this project share: a real server, and the Consumer as a process.</summary>
internal static class ConsumerTest
{
    public const string Ping = "redislatency:default:ping";
    public const string Pong = "redislatency:default:pong";

    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static Task<RedisServerProcess> StartServer(params string[] arguments) =>
        RedisServerProcess.Start("redis-server", arguments);

    /// <summary>Starts the Consumer without waiting for anything.</summary>
    public static ServiceProcess Start(params string[] arguments) => ServiceProcess.Start("Consumer", arguments);

    /// <summary>Starts the Consumer and waits until it serves.</summary>
    public static async Task<ServiceProcess> Serve(RedisServerProcess server, params string[] arguments)
    {
        var consumer = Start(["--redis", server.Uri, .. arguments]);
        try
        {
            await consumer.Errors.WaitFor("Serving ");
            return consumer;
        }
        catch
        {
            await consumer.DisposeAsync();
            throw;
        }
    }

    /// <summary>The only results folder that the process left behind.</summary>
    public static string ResultsOf(ServiceProcess consumer) =>
        Directory.GetDirectories(Path.Combine(consumer.Folder, "results")).ShouldHaveSingleItem();

    public static RunRecord RecordOf(ServiceProcess consumer) => RunRecordReader.Read(ResultsOf(consumer));

    public static RunSummary SummaryOf(RunRecord record, string name) =>
        record.Summaries.Where(summary => summary.Name == name).ShouldHaveSingleItem();
}
