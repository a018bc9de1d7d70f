using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A real primary and its replica, and heartbeats between them.</summary>
public class HeartbeatRunTests
{
    private const string Age = "age<2s";
    private const string Longest = "delay.max<1500ms";

    [Fact]
    public async Task Heartbeat_ForATime_MeasuresTheDelayWithOneKey()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "1500ms", "--interval", "25ms", "--window", "1s",
            "--threshold", "age<100s", "--threshold", "delay.max<100s");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
        record.Count("asked").ShouldBe(60);
        record.Count("read").ShouldBeGreaterThan(0);
        record.Series("delay-upper")["count"]!.GetValue<long>().ShouldBe(
            60 - record.Count("refused") - record.Count("unread"), "what was skipped or held up has an interval too");
        // Nothing is left for good.
        var expiry = ReplicatedPair.Execute(pair.Primary, "TTL", OnlyKey(pair));
        int.Parse(expiry, CultureInfo.InvariantCulture).ShouldBeGreaterThan(0);
        var windows = process.Log("window");
        windows.Sum(window => window["seen"]!.GetValue<long>()).ShouldBe(record.Count("read"));
        windows.Sum(window => window["asked"]!.GetValue<long>()).ShouldBe(60);
        record.Heartbeat()["windows"]!.GetValue<long>().ShouldBe(windows.Count);
        process.Errors.ToString().ShouldContain("replication delay, ");
        process.Errors.Lines.ShouldAllBe(line => line.Length <= 120);
        File.ReadAllText(Directory.GetFiles(process.Folder, "latency.hlog", SearchOption.AllDirectories).Single())
            .ShouldContain("Tag=delay-lower,");
    }

    [Fact]
    public async Task Heartbeat_WhoseLinkIsCutNearTheEnd_IsNotValidAndItsAgeGoesOn()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "4s", "--interval", "20ms", "--window", "1s",
            "--threshold", "age<1s");
        await process.WaitForMetrics("the end is near", metrics =>
            metrics.Beats("seen") + metrics.Beats("skipped") + metrics.Beats("unsent") > 170);

        // Nothing comes any more, although the server answers.
        ReplicatedPair.Execute(pair.Replica, "REPLICAOF", "NO", "ONE");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
        record.Count("unread").ShouldBeGreaterThan(2, "more than a hundredth of 200");
        record["thresholds"]![0]!["held"]!.GetValue<bool>().ShouldBeFalse("a second of waiting follows the last one");
    }

    [Fact]
    public async Task Heartbeat_WhoseProcessWasStopped_IsNeverPlainlyValid()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "4s", "--interval", "20ms", "--window", "1s");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 10);

        process.Signal("STOP");
        await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        process.Signal("CONT");
        var (_, record) = await process.End().End(process);

        record.Count("unsent").ShouldBeGreaterThan(10, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldNotBe("Valid");
        record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>())
            .ShouldContain(reason => reason.Contains("of the heartbeats were due while the process that writes them"));
    }

    [Fact]
    public async Task Heartbeat_WhoseReplicaStops_AlertsWhileItIsStoppedAndNoLongerAfterwards()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--interval", "25ms", "--window", "1s", "--threshold", Age, "--threshold",
            Longest, "--command-timeout", "60s");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 10);

        pair.Replica.Pause();
        // It stays so as long as the replica is stopped: both are polled while it is.
        var stopped = await process.WaitForMetrics(
            "both alerts are raised", metrics => metrics.IsRaised(Age) && metrics.IsRaised(Longest));
        var ill = await process.Readiness();
        pair.Replica.Resume();
        var cleared = await process.WaitForMetrics(
            "both are cleared", metrics => !metrics.IsRaised(Age) && !metrics.IsRaised(Longest));
        await process.Errors.WaitFor("alert-cleared: age < 2 s");
        var (code, record) = await process.EndBy("INT").End(process);

        stopped.Age().ShouldBeGreaterThanOrEqualTo(1.4);
        ill.Status.ShouldBe(503);
        ill.Text.ShouldContain("does not hold");
        cleared.Value("redislatency_replication_events_total", "kind=\"alert\"").ShouldBeGreaterThanOrEqualTo(2);
        cleared.Beats("skipped").ShouldBeGreaterThan(0);
        // Those of the stop came at any moment of it: they count with its end, not with the middle.
        cleared.Value("redislatency_replication_delay_seconds_sum").ShouldBeGreaterThan(
            1.2 * process.LoggedMean("delay") * record.Series("delay")["count"]!.GetValue<long>() / 1e9);
        code.ShouldBe(99, process.ToString());
        process.Errors.Lines.ShouldContain(line => line.Contains(" alert: age < 2 s   ", StringComparison.Ordinal));
        record.EventKinds().ShouldContain("alert");
        record.EventKinds().ShouldContain("alert-cleared");
        record["partial"]!.GetValue<bool>().ShouldBeFalse();
        record["thresholds"]!.AsArray().Select(result => result!["held"]!.GetValue<bool>()).ShouldAllBe(held => !held);
        record.Heartbeat()["longestAgeNs"]!.GetValue<long>().ShouldBeGreaterThan(1_999_000_000);
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
        process.Log("event").Select(line => line["event"]!.GetValue<string>()).ShouldContain("alert-cleared");
    }

    [Fact]
    public async Task Heartbeat_ThatExitsOnAlert_EndsWith99AtOnceAndSavesWhatThereIs()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--interval", "25ms", "--threshold", "age<1s", "--on-alert", "exit");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 5);

        pair.Replica.Pause();
        var (code, record) = await process.End().End(process);
        pair.Replica.Resume();

        code.ShouldBe(99, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["partialReason"]!.GetValue<string>().ShouldBe("ended by an alert");
        record.Count("read").ShouldBeGreaterThan(5);
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
    }

    [Fact]
    public async Task Metrics_OfARun_AreItsFigures()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--interval", "25ms", "--source-region", "here", "--destination-region",
            "there");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 10);

        // What is refused changes no other figure any more.
        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "min-replicas-to-write", "9");
        await process.WaitForMetrics("heartbeats are refused", metrics => metrics.Beats("refused") > 5);
        var accepted = Accepted(pair);
        // A histogram has what was recorded within a second.
        var metrics = await process.WaitForMetrics(
            "all that were accepted are accounted for",
            one => one.Beats("seen") + one.Beats("skipped") == accepted && Seen(one) >= accepted
                && one.Delays() > Seen(one) + 5);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, "what was refused has no delay: " + process);
        record.Count("read").ShouldBe((long)metrics.Beats("seen"));
        record.Count("skipped").ShouldBe((long)metrics.Beats("skipped"));
        record.Count("refused").ShouldBeGreaterThanOrEqualTo((long)metrics.Beats("refused"));
        metrics.Delays("source=\"here\"", "destination=\"there\"")
            .ShouldBeGreaterThan(Seen(metrics), "what was refused is slower than all that was seen");
        record.Series("delay")["missing"]!.GetValue<long>().ShouldBeGreaterThanOrEqualTo(record.Count("refused"));
        record.Series("delay")["mean"].ShouldBeNull("what was refused counts as slower than all that was seen");
        metrics.TypeOf("redislatency_replication_events_total").ShouldBe("counter");
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();

        static double Seen(PrometheusText metrics) =>
            metrics.Value("redislatency_replication_delay_seconds_bucket", "le=\"10\"");
    }

    [Fact]
    public async Task Heartbeat_WhoseReplicaRestarts_ReportsThatItIsLostAndGoesOn()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(pair.Primary.Uri, pair.Replica.Uri, "--interval", "25ms");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 5);

        await pair.Replica.Kill();
        (int Status, string Text) health;
        do
            health = await process.Readiness();
        while (health.Status == 200);
        await pair.Replica.Restart();
        await process.Errors.WaitFor("destination: connected to " + pair.Replica.Uri["redis://".Length..] + " after");
        var seen = (await process.Metrics()).Beats("seen");
        await process.WaitForMetrics("heartbeats come again", metrics => metrics.Beats("seen") > seen + 5);
        var (code, record) = await process.EndBy("TERM").End(process);

        health.Text.ShouldBe("destination is lost\n");
        code.ShouldBe(143, process.ToString());
        record.EventKinds().ShouldContain("reconnected");
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
    }

    [Fact]
    public async Task Heartbeat_StoppedWhileItsSourceIsGone_CountsWhatWasNotSent()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(pair.Primary.Uri, pair.Replica.Uri, "--interval", "25ms");
        await process.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 5);

        // With a heartbeat that is not answered, besides.
        pair.Primary.Pause();
        var sent = await process.WaitForMetrics("nothing comes", metrics => metrics.Age() > 0.2);
        await pair.Primary.Kill();
        var metrics = await process.WaitForMetrics("heartbeats are not sent", metrics => metrics.Beats("unsent") > 10);
        var health = await process.Readiness();
        var (code, record) = await process.EndBy("INT").End(process);

        health.ShouldBe((503, "source is lost\n"));
        // A source that is not back at the end is lost, whoever ends it.
        code.ShouldBe(5, process.ToString());
        record.Count("unsent").ShouldBeGreaterThanOrEqualTo((long)metrics.Beats("unsent"));
        record.Count("read").ShouldBeGreaterThanOrEqualTo((long)sent.Beats("seen"));
        record.EventKinds().ShouldContain("disconnected");
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
    }

    [Theory]
    [InlineData("--duration", "1200ms")]
    [InlineData("--threshold", "age<900ms")]
    public async Task Heartbeat_ThatIsTheOnlyOne_IsAsOldAsItWasAtTheEnd(string option, string value)
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = HeartbeatProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--interval", "10m", "--window", "1h", option, value);
        var isStopped = option != "--duration";
        if (isStopped)
            await process.WaitForMetrics("it is old", metrics => metrics.Age() > 1);

        var (code, record) = await (isStopped ? process.EndBy("TERM") : process.End()).End(process);

        code.ShouldBe(isStopped ? 99 : 0, process.ToString());
        record.Count("asked").ShouldBe(1);
        record.Heartbeat()["longestAgeNs"]!.GetValue<long>().ShouldBeGreaterThan(1_000_000_000);
        process.Log("window")[^1]["ageNs"]!.GetValue<long>()
            .ShouldBe(record.Heartbeat()["longestAgeNs"]!.GetValue<long>());
    }

    [Fact]
    public async Task Heartbeat_StoppedBeforeOneCouldBeSeen_EndsWithTheSignal()
    {
        // The first heartbeat is on its way.
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromSeconds(1)));
        await using var process = HeartbeatProcess.Start(pair.Primary.Uri, pair.Replica.Uri);
        while ((await process.Readiness()).Status != 200)
            await Task.Delay(TimeSpan.FromMilliseconds(20), TestContext.Current.CancellationToken);

        process.Signal("TERM");

        (await process.End()).ShouldBe(143, process.ToString());
    }

    [Fact]
    public async Task Heartbeat_WithoutEndpoints_UsesAPairOfItsOwnAndSaysSo()
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--continuous", "--duration", "500ms", "--interval", "10ms", "--window", "1s");

        (await process.End()).ShouldBe(0, process.ToString());

        var text = process.Output.ToString();
        process.Errors.ToString().ShouldContain("two servers inside this process");
        text.ShouldContain("HEARTBEATS");
        text.ShouldContain("asked 50 = seen ");
        var words = text.TrimEnd().Split('\n')[^1].Split(' ').Where(word => word.Contains('='))
            .Select(word => word.Split('=')).ToDictionary(word => word[0], word => word[1]);
        words.ShouldNotContainKey("lost");
        long Number(string word) => long.Parse(words[word], CultureInfo.InvariantCulture);
        Number("sent").ShouldBe(Number("read") + Number("skipped") + Number("refused") + Number("unread"));
        text.Split('\n').Where(line => !line.StartsWith("RESULT", StringComparison.Ordinal))
            .ShouldAllBe(line => line.Length <= 80);
    }

    [Fact]
    public async Task Heartbeat_WithWrongOptions_NamesEachOfThem()
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--continuous", "--interval", "0", "--window", "10ms", "--metrics", "127.0.0.1:9121",
            "--on-alert", "shout", "--threshold", "age<5", "--threshold", "nothing==0", "--source-region", "a\nb");

        (await process.End()).ShouldBe(2, process.ToString());

        var said = process.Errors.ToString();
        said.ShouldContain("--interval 0");
        said.ShouldContain("--window 10ms");
        said.ShouldContain("--metrics 127.0.0.1:9121: http://ADDRESS:PORT is needed");
        said.ShouldContain("--on-alert shout");
        said.ShouldContain("text without line breaks, and no blanks around it, is needed");
        said.ShouldContain("age is a time: the limit needs a unit, for instance age<5s");
        said.ShouldContain("there is no metric nothing");
    }

    [Fact]
    public async Task Heartbeat_WithAPercentileThatNoWindowCanTell_IsWrongUsage()
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--continuous", "--interval", "1s", "--threshold", "delay.p99<150ms");

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("delay.p99<150ms takes 1,000 heartbeats a window, which has 60");
    }

    [Fact]
    public async Task Heartbeat_WhoseMetricsCannotBeServed_IsRefused()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--continuous", "--metrics", $"http://{other.LocalEndpoint}");

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain($"{other.LocalEndpoint}: cannot listen there: the address is in use");
    }

    private static string OnlyKey(ReplicatedPair pair)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(pair.Primary.Uri), Patience.Connection);
        return connection.Execute("KEYS", "redislatency:delay:heartbeat:*").Items.ShouldHaveSingleItem().Text;
    }

    // Heartbeats are numbered as they are sent; the primary has the last one that it accepted.
    private static double Accepted(ReplicatedPair pair)
    {
        var value = ReplicatedPair.Execute(pair.Primary, "GET", OnlyKey(pair));
        return 1 + long.Parse(value.Split(' ')[2], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
    }
}
