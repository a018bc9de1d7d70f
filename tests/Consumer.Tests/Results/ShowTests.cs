using System.Text.Json;
using RedisLatency.Consumer.Tests.Serving;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Consumer.Tests.Results;

public sealed class ShowTests
{
    [Fact]
    public async Task SavedRun_IsPrintedAsAtItsEnd()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        await Serve(server, consumer);
        await consumer.EndBy("TERM");

        await using var show = ConsumerTest.Start("show", ConsumerTest.ResultsOf(consumer));

        (await show.End()).ShouldBe(0, $"{show}");
        show.Output.Lines.ShouldBe(consumer.Output.Lines);
    }

    [Fact]
    public async Task Json_IsTheRecordThatWasSaved()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--format", "json");
        await Serve(server, consumer);
        await consumer.EndBy("TERM");

        var printed = JsonDocument.Parse(consumer.Output.ToString()).RootElement;
        var saved = JsonDocument.Parse(await File.ReadAllBytesAsync(
            Path.Combine(ConsumerTest.ResultsOf(consumer), "run.json"), ConsumerTest.Cancellation)).RootElement;

        JsonElement.DeepEquals(printed, saved).ShouldBeTrue();
    }

    [Fact]
    public async Task Csv_HasARowForEachStream()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--format", "csv");
        await Serve(server, consumer);
        await consumer.EndBy("TERM");

        consumer.Output.Lines.ShouldBe(
        [
            "run,instance,region,stream,received,warm_up,sent,lost,duplicated,reordered,ended",
            "default,p1,us-east,0,20,5,20,0,0,0,true",
        ]);
    }

    [Fact]
    public async Task Hgrm_HasTheDistributionOfEachSeriesOfTheLog()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        await Serve(server, consumer);
        await consumer.EndBy("TERM");

        await using var show = ConsumerTest.Start("show", ConsumerTest.ResultsOf(consumer), "--format", "hgrm");

        (await show.End()).ShouldBe(0, $"{show}");
        var lines = show.Output.Lines.SkipWhile(line => line != "#[Series: residence, microseconds]")
            .TakeWhile(line => !line.StartsWith("#[Max", StringComparison.Ordinal)).ToList();
        lines[1].Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .ShouldBe(["Value", "Percentile", "TotalCount", "1/(1-Percentile)"]);
        lines[^2].ShouldEndWith(" 1.000000000000         20");
        show.Output.Lines.ShouldContain("#[Series: hiccups, microseconds]");
    }

    [Theory]
    [InlineData("garbage", "not a run record")]
    [InlineData("""{"schemaVersion":99}""", "written in schema 99, newer than")]
    public async Task RecordThatCannotBeUnderstood_EndsWith2(string content, string message)
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-show-");
        await File.WriteAllTextAsync(
            Path.Combine(folder.FullName, ResultsFolder.RunRecordName), content, ConsumerTest.Cancellation);

        await using var show = ConsumerTest.Start("show", folder.FullName);

        (await show.End()).ShouldBe(2);
        show.Errors.ToString().ShouldContain(message);
        folder.Delete(recursive: true);
    }

    private static Task Serve(RedisServerProcess server, ServiceProcess consumer) => Task.Run(
        () =>
        {
            consumer.HasExited.ShouldBeFalse($"{consumer}");
            using var producer = new FramedProducer(server, "p1", region: "us-east");
            producer.FindConsumers();
            producer.Send(5, isWarmUp: true);
            producer.Send(20);
            producer.End();
        },
        ConsumerTest.Cancellation);
}
