using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Sync;

/// <summary>What a run does not have at its end, and so must not call valid.</summary>
public sealed class LossTests
{
    private const string Library = "#!lua name=ours\nredis.register_function('f', function() return 1 end)";

    private const string Many = "for i = 1, 5000 do redis.call('SET', 'key:' .. i, string.rep('x', 2000)) end";

    [Theory]
    [InlineData("was not read to its end", "sync")]
    [InlineData("Not all keys of", "scan", "--follow", "--on-existing", "rewrite")]
    public async Task Run_StoppedInTheDataSet_IsPartial_AndDoubtful(string doubt, params string[] verb)
    {
        await using var pair = await SyncPair.Start(
            source: ["--notify-keyspace-events", "AE", "--rdbcompression", "no"]);
        pair.From.Execute("EVAL", Many, "0");
        await using var process = SyncProcess.Start(
            verb[0], pair.Source.Uri, pair.Target.Uri, [.. verb[1..], "--rate", "500"]);
        await process.Until("some are there", () => pair.To.Execute("DBSIZE").Number > 0);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["verdict"]!.ToJsonString().ShouldContain(doubt);
        pair.To.Execute("DBSIZE").Number.ShouldBeLessThan(5000);
    }

    [Fact]
    public async Task Source_ThatIsAwayAtTheEnd_IsSaid_AndTheStatusIsNotConsistent()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--metrics", "http://127.0.0.1:0");
        var address = await process.MetricsAddress();
        await Eventually.Is("all is there", () => IsConsistent() && Ask("/readyz").StatusCode == HttpStatusCode.OK);

        await pair.Source.Kill();
        await Eventually.Is("it is missed", () => !IsConsistent());
        Ask("/readyz").StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["verdict"]!.ToJsonString().ShouldContain("was not connected at the end");

        bool IsConsistent()
        {
            using var answer = Ask("/status");
            return JsonNode.Parse(answer.Content.ReadAsStream())!["consistent"]!.GetValue<bool>();
        }

        HttpResponseMessage Ask(string path)
        {
            using var client = new HttpClient();
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(new Uri(address.ToString()), path));
            return client.Send(request, TestContext.Current.CancellationToken);
        }
    }

    [Theory]
    [InlineData("FLUSHALL", 4, "was emptied by another client (FLUSHALL)")]
    [InlineData("CONFIG RESETSTAT", 130, "counts anew (CONFIG RESETSTAT)")]
    [InlineData("REPLICAOF", 4, "was a replica meanwhile")]
    [InlineData("SHUTDOWN", 4, "does not answer at the end")]
    public async Task Target_ThatLosesWhatItHad_IsSaidAtTheEnd(string change, int exitCode, string text)
    {
        await using var pair = await SyncPair.Start();
        await using var other = await RedisServerProcess.Start();
        await using var process = await pair.SyncFirst();

        if (change == "SHUTDOWN")
        {
            await pair.Target.Kill();
        }
        else if (change == "REPLICAOF")
        {
            pair.To.Execute("REPLICAOF", "127.0.0.1", $"{other.Port}");
            await Eventually.Is("all is gone", () => pair.To.Execute("DBSIZE").Number == 0);
            pair.To.Execute("REPLICAOF", "NO", "ONE");
        }
        else
        {
            pair.To.Execute(change.Split(' '));
        }

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(exitCode, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(text);
    }

    [Fact]
    public async Task Shards_ThatAreFlushed_LoadFunctions_OrMoveSlots_LeaveTheOthersKeys()
    {
        ScanTests.Require("redis-server");
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        source.Write();
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the data set is there", () => to.Execute("DBSIZE").Number == 300);

        foreach (var server in source.Servers)
            Execute(server, "FUNCTION", "LOAD", Library);
        Execute(source.Servers[0], "FLUSHALL");
        var last = Enumerable.Range(0, 1000).Select(i => $"last:{i}").First(
            key => source.Cluster!.PrimaryOf(KeySlot.Of(Encoding.ASCII.GetBytes(key))) == source.Servers[0]);
        source.Execute(last, "SET", last, "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", last).Number == 1);
        var other = Execute(source.Servers[1], "CLUSTER", "MYID");
        Execute(source.Servers[0], "CLUSTER", "SETSLOT", "0", "MIGRATING", other);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        to.Execute("DBSIZE").Number.ShouldBe(301);
        var verdict = record["verdict"]!.ToJsonString();
        verdict.ShouldContain("one server of the cluster was emptied, and the target not");
        verdict.ShouldContain("Slots of the source moved during the run");
    }

    private static string Execute(RedisServerProcess server, params string[] words)
    {
        using var connection = SyncProcess.Open(server.Uri);
        return connection.Execute(words).Text;
    }
}
