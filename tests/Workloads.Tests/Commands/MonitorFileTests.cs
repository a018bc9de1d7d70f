using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Tests.Commands;

public sealed class MonitorFileTests
{
    [Theory]
    [InlineData("@admin")]
    [InlineData("@dangerous")]
    public async Task Capture_OfWhatTheServerCallsDangerous_IsNotReplayed(string category)
    {
        await using var server = await RedisServerProcess.Start();
        using var connection = RedisConnection.Open(
            RedisEndpoint.Parse(server.Uri), Patience.Connection with { ReplyLimits = RespLimits.Default });
        var names = connection.Request("ACL", "CAT", category[1..]).Items.Select(item => item.Text).ToList();

        names.Count.ShouldBeGreaterThan(20);
        names.Where(name => MonitorFile.ReadLine(LineOf(name.Split('|'))) is not null).ShouldBeEmpty();
        MonitorFile.ReadLine(LineOf("set", "key", "value")).ShouldNotBeNull();
    }

    [Fact]
    public void Capture_OfSeveralDatabases_IsReplayedInTheFirstAlone_AndSaysHowManyAreLeftOut()
    {
        var file = Path.GetTempFileName();
        File.WriteAllLines(
            file,
            [
                LineOf("select", "3"), LineOf("set", "key", "a"),
                LineOf("get", "key").Replace(" [0 ", " [3 ", StringComparison.Ordinal), LineOf("get", "key"),
            ]);
        try
        {
            var replay = MonitorFile.Parse(file);

            replay.Names.ShouldBe(["set", "get"]);
            replay.Commands.Length.ShouldBe(2);
            replay.LeftOut.ShouldNotBeNull().ShouldStartWith("2 of 4 lines of ");
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static string LineOf(params string[] words) => string.Create(
        CultureInfo.InvariantCulture,
        $"1700000000.123456 [0 127.0.0.1:1] {string.Join(' ', words.Select(word => $"\"{word}\""))}");
}
