using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;

namespace RedisLatency.Integration.LivePages;

/// <summary>The page of a run while it lasts, asked for over HTTP.</summary>
public sealed class LivePageTests : PairTest
{
    private const string Follows = "This page follows the run.";
    private const string Token = "a4d0c8c1f2b94e7f9a53";

    private static readonly string[] Here = ["--live-page", "127.0.0.1:0"];

    private readonly HttpClient _client = new() { Timeout = ServiceProcess.LimitAgainstHangs };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Page_FollowsTheRun_AndEndsWithItsRecord()
    {
        // Whatever others name is text.
        const string Hostile = "<img src=x onerror=alert(1)>";
        var producer = StartProducer([
            "--channel", Hostile, "--rate", "500", "--duration", "5m", "--warmup", "0", .. Here]);
        var address = await AddressOf(producer);
        var began = Stopwatch.GetTimestamp();
        using var response = await _client.GetAsync(address, Cancellation);
        var first = await response.Content.ReadAsStringAsync(Cancellation);
        using var reader = new StreamReader(await _client.GetStreamAsync(new Uri(address, "events"), Cancellation));
        var events = new List<(string Name, string Text)>();
        do
            events.Add(await ReadEvent(reader));
        while (!events[^1].Text.Contains("rtt-intended over time", StringComparison.Ordinal));
        producer.Signal("INT");
        while (await ReadEvent(reader) is { Name.Length: > 0 } one)
            events.Add(one);
        (await producer.End()).ShouldBe(130, producer.ToString());

        response.Headers.GetValues("Content-Security-Policy").Single()
            .ShouldMatch("^default-src 'none'; .* script-src 'sha256-[^']+'; connect-src 'self'; ");
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
        first.ShouldContain(Follows);
        first.ShouldStartWith("<!DOCTYPE html>");
        var (last, before) = (events[^1], events.SkipLast(1).ToList());
        last.Name.ShouldBe("end");
        last.Text.ShouldContain("This is its final record");
        last.Text.ShouldContain("How to reproduce");
        before.ShouldAllBe(one => one.Name == "page" && one.Text.Contains(Follows, StringComparison.Ordinal));
        // At most one a second.
        before.Count.ShouldBeLessThanOrEqualTo((int)Stopwatch.GetElapsedTime(began).TotalSeconds + 2);
        before[^1].Text.ShouldContain("<caption>Counts so far</caption>");
        before[^1].Text.ShouldContain("&lt;img src=x onerror=alert(1)&gt;");
        events.ShouldAllBe(one => !one.Text.Contains("<img", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("consumer SERVER")]
    [InlineData("mesh SERVER --regions a,b --region a")]
    [InlineData("load SERVER --records 1000 --duration 5m")]
    [InlineData("replication delay --duration 5m")]
    [InlineData("replication delay --continuous")]
    [InlineData("sync SERVER OTHER")]
    public async Task Page_IsServedByEveryService(string words)
    {
        var other = await StartServer();
        var typed = words.Replace("SERVER", Server.Uri, StringComparison.Ordinal)
            .Replace("OTHER", other.Uri, StringComparison.Ordinal);
        var service = Own(Start("Tool", [.. typed.Split(' '), .. Here]));

        var page = await _client.GetStringAsync(await AddressOf(service), Cancellation);

        page.ShouldContain(Follows);
        page.ShouldContain(", no verdict yet</h1>");
        await service.EndBy("INT");
    }

    [Fact]
    public async Task Page_IsMadeWhileSomebodyLooks_AndNotAfter()
    {
        var producer = StartProducer(["--rate", "100", "--duration", "1m", "--warmup", "0", .. Here]);
        var address = await AddressOf(producer);
        using (var looking = new HttpClient())
        {
            var readers = await Task.WhenAll(Enumerable.Range(0, 5).Select(async _ => new StreamReader(
                await looking.GetStreamAsync(new Uri(address, "events"), Cancellation))));
            var texts = await Task.WhenAll(readers.Select(ReadEvent));
            // One page for all of them, or the next one.
            texts.Distinct().Count().ShouldBeLessThanOrEqualTo(2);
            SwitchesOf(producer).ShouldBeGreaterThan(0);
            foreach (var reader in readers)
                reader.Dispose();
        }

        // While somebody looks it is made once a second, or as soon as a slow machine can. A run whose page is made on
        // and on ends before this does, and has no such thread.
        long before;
        do
        {
            before = SwitchesOf(producer);
            await Task.Delay(TimeSpan.FromSeconds(4), Cancellation);
        }
        while (SwitchesOf(producer) != before);
        await producer.EndBy("INT");
    }

    [Fact]
    public async Task Browser_ThatTakesNothing_IsDropped_AndOthersAndTheRunGoOn()
    {
        var producer = StartProducer(["--rate", "500", "--duration", "10m", "--warmup", "0", .. Here]);
        var address = await AddressOf(producer);
        using var slow = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4_096 };
        await slow.ConnectAsync(address.Host, address.Port, Cancellation);
        await slow.SendAsync(
            Encoding.ASCII.GetBytes($"GET /events HTTP/1.1\r\nHost: {address.Authority}\r\n\r\n"), Cancellation);
        using var reader = new StreamReader(await _client.GetStreamAsync(new Uri(address, "events"), Cancellation));
        var shownToOthers = 0;
        // One that is not dropped is there until the run is over.
        var isDropped = false;
        while (!isDropped && (await ReadEvent(reader)).Name == "page")
        {
            shownToOthers++;
            isDropped = slow.Poll(0, SelectMode.SelectError);
        }

        producer.Signal("INT");
        (await producer.End()).ShouldBe(130, producer.ToString());

        isDropped.ShouldBeTrue();
        shownToOthers.ShouldBeGreaterThan(2);
        var counts = SavedRun.Of(producer).Record.Metrics;
        counts["sent"].ShouldBeGreaterThan(1_000);
        counts["returned"].ShouldBe(counts["sent"]);
    }

    [Fact]
    public async Task Page_ForOthersThanThisMachine_NeedsAToken()
    {
        var refused = StartProducer("--live-page", "0.0.0.0:0");
        (await refused.End()).ShouldBe(2, refused.ToString());
        refused.Errors.ToString().ShouldContain(
            "others than this machine reach 0.0.0.0:0: give --live-page-token-file FILE too, or 127.0.0.1");

        await using var producer = ServiceProcess.StartShell(
            $"printf {Token} > token; exec \"$PROGRAM\" producer --redis {Server.Uri} --duration 30s --warmup 0 "
            + "--live-page 0.0.0.0:0 --live-page-token-file token --details");
        var address = new UriBuilder(await AddressOf(producer)) { Host = "127.0.0.1" }.Uri;

        (await Ask(address, null)).ShouldBe(HttpStatusCode.Unauthorized);
        (await Ask(new Uri(address, "events"), null)).ShouldBe(HttpStatusCode.Unauthorized);
        (await Ask(address, new("Bearer", Token[..^1]))).ShouldBe(HttpStatusCode.Unauthorized);
        (await Ask(address, new("Basic", "no base64"))).ShouldBe(HttpStatusCode.Unauthorized);
        (await Ask(address, new("Bearer", Token))).ShouldBe(HttpStatusCode.OK);
        var password = Convert.ToBase64String(Encoding.UTF8.GetBytes($"anybody:{Token}"));
        (await Ask(address, new("Basic", password))).ShouldBe(HttpStatusCode.OK);

        await producer.EndBy("INT");
        producer.ToString().ShouldNotContain(Token);
    }

    [Fact]
    public async Task Page_IsReadOnly_AndForNamesOfThisMachine()
    {
        var producer = StartProducer(["--duration", "30s", "--warmup", "0", .. Here]);
        var address = await AddressOf(producer);

        using var posted = await _client.PostAsync(address, new StringContent("x"), Cancellation);
        using var foreign = new HttpRequestMessage(HttpMethod.Get, address);
        foreign.Headers.Host = "example.org";
        using var answered = await _client.SendAsync(foreign, Cancellation);
        await producer.EndBy("INT");

        posted.StatusCode.ShouldBe(HttpStatusCode.MethodNotAllowed);
        answered.StatusCode.ShouldBe(HttpStatusCode.Forbidden);
    }

    [Theory]
    [InlineData("--live-page 8080", "ADDRESS:PORT is needed")]
    [InlineData("--live-page-token-file token", "the token is for --live-page, which is not given")]
    [InlineData("--live-page 127.0.0.1:0 --live-page-token-file absent", "absent cannot be read: ")]
    [InlineData("--live-page 127.0.0.1:0 --live-page-token-file /dev/null", "must have 16 characters at least")]
    public async Task Options_ThatMakeNoSense_AreRefused(string options, string problem)
    {
        var producer = StartProducer(options.Split(' '));

        (await producer.End()).ShouldBe(2, producer.ToString());
        producer.Errors.ToString().ShouldContain(problem);
    }

    private static async Task<Uri> AddressOf(ServiceProcess service)
    {
        const string Announcement = "The live page is at ";
        var line = await service.Errors.WaitFor(Announcement);
        return new Uri(line[Announcement.Length..].TrimEnd('.'));
    }

    private static async Task<(string Name, string Text)> ReadEvent(StreamReader reader)
    {
        var (name, text) = (string.Empty, new StringBuilder());
        while (await reader.ReadLineAsync(Cancellation) is { Length: > 0 } line)
        {
            if (line.StartsWith("event: ", StringComparison.Ordinal))
                name = line["event: ".Length..];
            else
                text.Append(line["data: ".Length..]).Append('\n');
        }

        return (name, text.ToString());
    }

    private async Task<HttpStatusCode> Ask(Uri address, AuthenticationHeaderValue? authorization)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        request.Headers.Authorization = authorization;
        using var response = await _client.SendAsync(
            request, HttpCompletionOption.ResponseHeadersRead, Cancellation);
        return response.StatusCode;
    }

    // How often the thread that makes the page has run so far.
    private static long SwitchesOf(ServiceProcess service)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads have names in /proc.");
        var thread = Directory.GetDirectories($"/proc/{service.ProcessId}/task")
            .Single(task => File.ReadAllText(Path.Combine(task, "comm")).Trim() == "live-page");
        return File.ReadLines(Path.Combine(thread, "status"))
            .Where(line => line.Contains("ctxt_switches", StringComparison.Ordinal))
            .Sum(line => long.Parse(line[(line.IndexOf(':') + 1)..], CultureInfo.InvariantCulture));
    }
}
