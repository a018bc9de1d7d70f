using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Rendezvous;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Users with no more rights than the page on replication names.</summary>
public class RightsTests
{
    private const string Password = "let-me";

    [Fact]
    public async Task Run_ByUsersWithTheDocumentedRights_MeasuresEverything()
    {
        await using var pair = await ReplicatedPair.Start();
        AddUsers(pair);
        await using var process = DelayProcess.Start(
            With("probe-writer", pair.Primary), With("probe-reader", pair.Replica), "--keys", "200", "--rate", "100",
            "--deadline", "20s", "--wait-interval", "100ms");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(200);
        record.Series("wait")["count"]!.GetValue<long>().ShouldBeGreaterThan(0);
        record.Count("lag-samples").ShouldBeGreaterThan(0);
        process.Output.ToString().ShouldNotContain("NOPERM");
        process.Output.ToString().ShouldNotContain(Password);
    }

    [Fact]
    public async Task Run_WithoutInfo_ToWhatMayBeOneServer_SaysThatItIsNotKnown()
    {
        await using var pair = await ReplicatedPair.Start();
        AddUsers(pair);
        ReplicatedPair.Execute(pair.Primary, "ACL", "SETUSER", "probe-writer", "-info", "+mget", "+get");
        // One server by two names.
        var source = With("probe-writer", pair.Primary);
        await using var process = DelayProcess.Start(
            source, source.Replace("127.0.0.1", "localhost", StringComparison.Ordinal), "--keys", "50", "--rate", "100");

        var (_, record) = await process.End().End(process);

        record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>()).ShouldContain(
            $"Whether 127.0.0.1:{pair.Primary.Port} and localhost:{pair.Primary.Port} are two servers is not known: "
            + "the source does not say by INFO who it is.");
    }

    [Fact]
    public async Task WriteAndRead_ByUsersWithTheDocumentedRights_MeasureEverything()
    {
        await using var pair = await ReplicatedPair.Start();
        AddUsers(pair);
        await using var reader = RemoteProcess.Read(
            With("probe-reader", pair.Replica), "--control", With("probe-reader", pair.Primary), "--no-claims");
        await using var writer = RemoteProcess.Write(With("probe-writer", pair.Primary), "--keys", "100", "--rate", "200");

        var (code, record) = await reader.End().End(reader);
        var (writerCode, written) = await writer.End().End(writer);

        written.ShouldBeValidUnlessLate(writerCode, writer);
        code.ShouldBe(0, reader.ToString());
        record.Count("read").ShouldBe(100);
    }

    [Fact]
    public async Task Heartbeat_ByUsersWithTheDocumentedRights_MeasuresEverything()
    {
        await using var pair = await ReplicatedPair.Start();
        AddUsers(pair);
        await using var process = HeartbeatProcess.Start(
            With("probe-writer", pair.Primary), With("probe-reader", pair.Replica), "--duration", "500ms", "--interval",
            "25ms", "--watch-interval", "100ms");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBeGreaterThan(0);
        record.Count("refused").ShouldBe(0);
        record.Count("lag-samples").ShouldBeGreaterThan(0);
        process.ToString().ShouldNotContain("NOPERM");
        process.ToString().ShouldNotContain(Password);
    }

    [Fact]
    public async Task HeartbeatWriteAndRead_ByUsersWithTheDocumentedRights_MeasureEverything()
    {
        await using var pair = await ReplicatedPair.Start();
        AddUsers(pair);
        foreach (var server in (RedisServerProcess[])[pair.Primary, pair.Replica])
        {
            // What the page says is not needed.
            ReplicatedPair.Execute(server, "ACL", "SETUSER", "probe-writer", "-wait", "-exists");
            ReplicatedPair.Execute(server, "ACL", "SETUSER", "probe-reader", "-mget");
        }

        // One that a busy machine keeps from leaving until the next is due is unsent, and one of a hundred too many.
        await using var writer = RemoteHeartbeat.Write(With("probe-writer", pair.Primary), "--interval", "100ms");
        await using var reader = RemoteHeartbeat.Read(
            With("probe-reader", pair.Replica), "--control", With("probe-reader", pair.Primary), "--no-claims",
            "--duration", "2s", "--watch-interval", "100ms");

        var (code, record) = await reader.End().End(reader);
        var (writerCode, written) = await writer.EndBy("TERM").End(writer);

        code.ShouldBe(0, reader.ToString());
        writerCode.ShouldBe(143, writer.ToString());
        record.Count("read").ShouldBeGreaterThan(0);
        written.Count("refused").ShouldBe(0);
        $"{reader}{writer}".ShouldNotContain("NOPERM");
        $"{reader}{writer}".ShouldNotContain(Password);
    }

    private static string With(string user, RedisServerProcess server) =>
        server.Uri.Replace("redis://", $"redis://{user}:{Password}@", StringComparison.Ordinal);

    private static void AddUsers(ReplicatedPair pair)
    {
        var lines = File.ReadAllLines(RepositoryRoot.Combine("docs", "replication.md"))
            .Where(line => line.StartsWith("ACL SETUSER probe-", StringComparison.Ordinal)).ToList();
        lines.Count.ShouldBe(2);
        foreach (var line in lines)
        {
            var words = line.Replace(">…", $">{Password}", StringComparison.Ordinal).Split(' ');
            ReplicatedPair.Execute(pair.Primary, words);
            ReplicatedPair.Execute(pair.Replica, words);
        }
    }
}
