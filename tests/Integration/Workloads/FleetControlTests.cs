using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

/// <summary>Members meet at any Redis: at a cluster, at what Sentinels name, over TLS.</summary>
public sealed class FleetControlTests : WorkloadTest
{
    private const string RunName = "night";
    private const string Password = "pa55w0rd-of-fleet";

    [Theory]
    [InlineData("cluster")]
    [InlineData("Sentinels")]
    [InlineData("TLS")]
    public async Task Members_MeetAtAnyRedis_WithTheRightsThatCheckPrints(string kind)
    {
        using var authority = new TestAuthority();
        var control = await StartControl(kind, authority);
        var check = Start("check", MemberOptions(0, control.Uri, control.Options));
        (await check.End()).ShouldBe(0, check.ToString());
        check.Output.ToString().ShouldContain($"members would meet at {control.Uri}/0");
        Allow(control.Servers, check.Output.Lines.First(line =>
            line.Contains("ACL SETUSER", StringComparison.Ordinal)));
        var login = control.Uri.Replace("://", "://fleet@", StringComparison.Ordinal);
        string[] options = ["--control-password-file", await PasswordFile(), .. control.Options];
        var watch = WatchedLine.Start(login, RunName, options);
        Keep(watch);
        await watch.Errors.WaitFor("Waiting for a run");

        var members = Enumerable.Range(0, 2).Select(index => Start(
            "load", [.. MemberOptions(index, login, options), "--records", "3000"])).ToList();
        await End(members);

        CallsOf("set").ShouldBe(3_000);
        // Whoever has the login can paste it.
        members.ShouldAllBe(member => member.Errors.ToString().Contains(
            $"report merge --control {control.Uri}/0 --run {RunName} ", StringComparison.Ordinal));
        (await Merge(login, options)).Count(Counted.Completed).ShouldBe(3_000);
        (await watch.End()).ShouldBe(0, watch.ToString());
        WatchedLine.Of(watch).Sum(line => line.Count).ShouldBe(3_000, watch.ToString());
    }

    /// <summary>What was the primary is well, goes on as a replica, and is there for whoever connects again.</summary>
    [Fact]
    public async Task Members_FollowThePrimary_WhenSentinelsChooseAnother()
    {
        var service = await SentinelProcesses.Start();
        Keep(service);
        string[] work = ["--mix", "set=1", "--records", "1000", "--warmup", "0s", "--duration", "20s", "--rate", "300"];
        var members = Enumerable.Range(0, 2).Select(index => Start(
            "run", [.. MemberOptions(index, service.Uri()), .. work])).ToList();
        foreach (var member in members)
            await Eventually.Is("it measures", () => SavedRun.IntervalsLoggedBy(member) > 0);

        await service.Failover(service.Sentinels[0]);
        // What is written to it before it knows is lost.
        await Eventually.Is("what was the primary is a replica", () =>
        {
            using var connection = service.OpenServer(service.Servers[0]);
            return connection.Execute("ROLE").Items[0].Text == "slave";
        });
        members.ShouldAllBe(member => !member.HasExited);

        await SavedRun.EndValidUnlessLate(members);
        foreach (var member in members)
        {
            SavedRun.Of(member).Record.Verdict.Reasons.ShouldNotContain(
                reason => reason.Contains("dead", StringComparison.Ordinal), member.ToString());
        }

        (await Merge(service.Uri())).Record.MergedFrom.ShouldNotBeNull().Count.ShouldBe(2);
    }

    private static string[] MemberOptions(int index, string control, params string[] more) =>
    [
        "--run", RunName, "--expect", "load=2", "--member", Text(index), "--instance", $"host-{Text(index)}",
        "--control", control, .. more,
    ];

    // What one says of another is understood only beside that.
    private static async Task End(IReadOnlyList<ServiceProcess> members)
    {
        foreach (var member in members)
            (await member.End()).ShouldBe(0, string.Join('\n', members));
    }

    // Of a cluster, and of what Sentinels know, each server has its own.
    private static void Allow(IEnumerable<RedisServerProcess> servers, string printed)
    {
        var words = printed[printed.IndexOf("ACL SETUSER", StringComparison.Ordinal)..].Split(' ');
        foreach (var server in servers)
        {
            using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
            connection.Execute(["ACL", "SETUSER", "fleet", "reset", "on", $">{Password}", .. words[3..]])
                .Text.ShouldBe("OK");
        }
    }

    private async Task<(string Uri, IReadOnlyList<RedisServerProcess> Servers, string[] Options)> StartControl(
        string kind, TestAuthority authority)
    {
        switch (kind)
        {
            case "cluster":
                var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 0 });
                Keep(cluster);
                return (cluster.Uri, cluster.Servers, []);
            case "Sentinels":
                var service = await SentinelProcesses.Start();
                Keep(service);
                return (service.Uri(), service.Servers, []);
            default:
                var port = Text(FreePort.Next());
                var (certificate, key) = authority.Sign("control.example");
                var server = await RedisServerProcess.Start(
                    "redis-server", "--tls-port", port, "--tls-cert-file", certificate, "--tls-key-file", key,
                    "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no");
                Keep(server);
                return ($"rediss://127.0.0.1:{port}", [server], ["--tls-ca", authority.CaFile]);
        }
    }

    private async Task<string> PasswordFile()
    {
        var file = Path.Combine(Server.Folder, "password");
        await File.WriteAllTextAsync(file, Password, TestContext.Current.CancellationToken);
        return file;
    }

    private async Task<SavedRun> Merge(string control, params string[] options)
    {
        var merge = ServiceProcess.Start(
            "Tool", ["report", "merge", "--run", RunName, "--control", control, .. options]);
        Keep(merge);
        (await merge.End()).ShouldBe(0, merge.ToString());
        return SavedRun.Of(merge);
    }
}
