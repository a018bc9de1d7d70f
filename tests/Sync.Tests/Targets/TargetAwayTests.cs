using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Checkpoints;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Targets;

/// <summary>A target that cannot be reached for a while: what is on its way to it, and what is said meanwhile.</summary>
public class TargetAwayTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Writes_ThatComeLate_DoNotReplaceNewerOnes_OrTheRunEnds(bool mayEndThem)
    {
        await using var pair = await SyncPair.Start();
        pair.To.Execute("ACL", "SETUSER", "writer", "on", "nopass", "~*", "&*", "+@all");
        if (!mayEndThem)
            pair.To.Execute("ACL", "SETUSER", "writer", "-client|kill");
        using var link = new LateLink();
        using var network = AlteredReplies.Late(pair.Target, link);
        await using var process = SyncProcess.Start(
            "sync", pair.Source.Uri, network.Uri.Replace("//", "//writer:@"),
            "--connections", "1", "--reconnect-timeout", "2s");
        pair.From.Execute("SET", "key", "first");
        await process.Until("it is there", () => pair.To.Request("GET", "key").Text == "first");

        link.Hold();
        var before = link.Connections;
        pair.From.Execute("SET", "key", "old");
        if (!mayEndThem)
        {
            (await process.End()).ShouldBe(5, process.ToString());
            process.Errors.ToString().ShouldContain("could not be ended (CLIENT KILL: NOPERM");
            process.Errors.ToString().ShouldContain(
                "behind what is newer. The target's checkpoint is not exact any more");
            link.Release();
            return;
        }

        await process.Until("another connection is opened", () => link.Connections > before);
        await process.Until("it is there again", () => pair.To.Request("GET", "key").Text == "old");
        pair.From.Execute("SET", "key", "new");
        await process.Until("the newer is there", () => pair.To.Request("GET", "key").Text == "new");
        link.Release();
        await process.Until("the older came", () => link.Delivered > 0);
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Request("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("INT").End(process);

        pair.To.Request("GET", "key").Text.ShouldBe("new");
        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", process.ToString());
    }

    [Fact]
    public async Task Address_AtWhichAnotherServerAnswers_EndsTheRun()
    {
        await using var pair = await SyncPair.Start();
        await using var other = await RedisServerProcess.Start();
        var at = pair.Target;
        using var address = AlteredReplies.At(() => Volatile.Read(ref at));
        await using var process = SyncProcess.Start("sync", pair.Source.Uri, address.Uri);
        pair.From.Execute("SET", "first", "1");
        await process.Until("it is there", () => pair.To.Request("EXISTS", "first").Number == 1);

        Volatile.Write(ref at, other);
        pair.To.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        pair.From.Execute("SET", "second", "1");

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("another server answers there");
        using var there = SyncProcess.Open(other.Uri);
        there.Execute("DBSIZE").Number.ShouldBe(0);
    }

    // Nothing waits for it, so that the run goes on.
    [Fact]
    public async Task Target_ThatIsAwayFromAnIdleRun_IsNotReady()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--metrics", "http://127.0.0.1:0");
        using var client = new HttpClient { BaseAddress = await process.MetricsAddress() };
        await process.Until("it is ready", () => Ready().StatusCode == System.Net.HttpStatusCode.OK);

        await pair.Target.Kill();

        await process.Until("it is not", () => Ready().Content.ReadAsStringAsync().Result.Contains("is not connected"));
        var status = await client.GetStringAsync("/status", TestContext.Current.CancellationToken);
        JsonNode.Parse(status)!["consistent"]!.GetValue<bool>().ShouldBeFalse();

        HttpResponseMessage Ready() => client.GetAsync("/readyz").GetAwaiter().GetResult();
    }

    [Fact]
    public async Task Target_ThatIsAwayAtTheEnd_EndsTheRun_AlsoWhereItsSourceIsAway()
    {
        // Nothing is left to be written.
        await using var pair = await SyncPair.Start(source: ["--repl-ping-replica-period", "3600"]);
        await using var process = await pair.SyncFirst();
        await process.Until("nothing waits", () => HeldCheckpoint.HasPosition(pair));

        await pair.Source.Kill();
        await pair.Target.Kill();

        (await process.EndBy("INT")).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("does not answer at the end");
    }

    [Fact]
    public async Task Target_AtWhichACommandFoundNoKey_IsNotReady()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--metrics", "http://127.0.0.1:0");
        using var client = new HttpClient { BaseAddress = await process.MetricsAddress() };
        pair.From.Execute("SET", "key", "1");
        await process.Until("it is there", () => pair.To.Execute("EXISTS", "key").Number == 1);

        pair.To.Execute("DEL", "key");
        pair.From.Execute("EXPIRE", "key", "1000");

        await process.Until(
            "it is known", () => client.GetAsync("/readyz").Result.Content.ReadAsStringAsync().Result
                .Contains("1 commands did not find at the target"));
        await process.Until(
            "it is told", () => process.Errors.ToString().Contains("PEXPIREAT key did not find at the target"));
        var status = await client.GetStringAsync("/status", TestContext.Current.CancellationToken);
        JsonNode.Parse(status)!["consistent"]!.GetValue<bool>().ShouldBeFalse();
    }

    [Fact]
    public async Task Lag_WhileTheTargetIsOutOfReach_IsThatOfTheOldestCommand()
    {
        await using var pair = await SyncPair.Start();
        var (port, page) = (FreePort.Next(), FreePort.Next());
        var link = TcpLink.Start(port, pair.Target);
        await using var process = SyncProcess.Start(
            "sync", pair.Source.Uri, $"redis://127.0.0.1:{port}", "--metrics", $"http://127.0.0.1:{page}");
        pair.From.Execute("SELECT", "1");
        pair.From.Execute("SET", "first", "1");
        using var http = new HttpClient();
        double Lag() => JsonNode.Parse(
            http.GetStringAsync(new Uri($"http://127.0.0.1:{page}/")).Result)!["lag_ms"]!.GetValue<double>();
        pair.To.Execute("SELECT", "1");
        await process.Until("it is there", () => pair.To.Request("EXISTS", "first").Number == 1 && Lag() == 0);

        link.Dispose();
        pair.From.Execute("SET", "second", "1");
        await process.Until("it lags", () => Lag() > 1500);
        pair.From.Execute("SET", "third", "1");
        Lag().ShouldBeGreaterThan(1500);
        using var restored = TcpLink.Start(port, pair.Target);
        await process.Until("it does not any more", () => Lag() == 0);
        pair.To.Request("EXISTS", "third").Number.ShouldBe(1);

        pair.To.Execute("CONFIG", "SET", "maxmemory", "1");
        pair.From.Execute("SET", "fourth", "1");
        await process.Until("it lags, refused", () => Lag() > 1500);
        pair.To.Execute("CONFIG", "SET", "maxmemory", "0");
        await process.Until("it does not any more", () => Lag() == 0);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }
}
