using System.Net;
using System.Net.Sockets;
using System.Text;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>The endpoint over real HTTP.</summary>
public sealed class MetricsEndpointTests : IDisposable
{
    private const string Page = "# HELP answer The answer.\n# TYPE answer gauge\nanswer 42\n";

    private readonly HttpClient _client = new();

    public void Dispose() => _client.Dispose();

    [Fact]
    public async Task Metrics_AreServedAsText()
    {
        using var endpoint = MetricsEndpoint.Start("http://127.0.0.1:0", () => Page, () => null, () => null);

        using var response = await Get(endpoint, "/metrics");

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.ToString().ShouldBe("text/plain; version=0.0.4; charset=utf-8");
        (await Text(response)).ShouldBe(Page);
    }

    [Fact]
    public async Task Health_FollowsTheService()
    {
        string? illness = null;
        using var endpoint = MetricsEndpoint.Start("http://[::1]:0", () => Page, () => illness, () => null);

        using var well = await Get(endpoint, "/healthz");
        illness = "the source is lost";
        using var ill = await Get(endpoint, "/healthz");

        well.StatusCode.ShouldBe(HttpStatusCode.OK);
        ill.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await Text(ill)).ShouldBe("the source is lost\n");
    }

    [Fact]
    public async Task HalfARequest_SixtyFourTimes_KeepsNobodyOut()
    {
        using var endpoint = MetricsEndpoint.Start("http://127.0.0.1:0", () => Page, () => null, () => null);
        var port = new Uri(endpoint.Address).Port;
        var halves = Enumerable.Range(0, 64).Select(_ => new TcpClient("127.0.0.1", port)).ToList();
        halves.ForEach(half => half.GetStream().Write("GET /metrics HTTP/1.1\r\nHost: "u8));

        using var response = await Get(endpoint, "/metrics");

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        // And none of them is waited for.
        halves.ForEach(half => half.GetStream().ReadTimeout = 60_000);
        Encoding.ASCII.GetString(ReadAll(halves[0])).ShouldStartWith("HTTP/1.1 408");
        halves.ForEach(half => half.Dispose());
    }

    [Fact]
    public async Task Silence_OfAsManyAsMayConnect_KeepsNobodyOut()
    {
        using var endpoint = MetricsEndpoint.Start("http://127.0.0.1:0", () => Page, () => null, () => null);
        var port = new Uri(endpoint.Address).Port;
        var silent = Enumerable.Range(0, 256).Select(_ => new TcpClient("127.0.0.1", port)).ToList();

        for (var others = 0; others < 3; others++)
        {
            using var client = new HttpClient();
            using var response = await client.GetAsync(
                new Uri(endpoint.Address + "/metrics"), TestContext.Current.CancellationToken);
            response.StatusCode.ShouldBe(HttpStatusCode.OK);
        }

        // Who came first had to leave, and as few as made room.
        silent[0].GetStream().ReadTimeout = 60_000;
        HasEnded(silent[0]).ShouldBeTrue();
        silent[^1].Client.Poll(0, SelectMode.SelectRead).ShouldBeFalse();
        silent.ForEach(one => one.Dispose());
    }

    [Theory]
    [InlineData("http://0.0.0.0:0", true)]
    [InlineData("http://[::]:0", true)]
    [InlineData("http://127.0.0.1:0", false)]
    public void AllAddresses_AreKnownToBeOpenToAll(string address, bool isOpenToAll)
    {
        using var endpoint = MetricsEndpoint.Start(address, () => Page, () => null, () => null);

        endpoint.IsOpenToAll.ShouldBe(isOpenToAll);
    }

    [Fact]
    public async Task AnythingElse_IsRefused()
    {
        using var endpoint = MetricsEndpoint.Start("http://127.0.0.1:0", () => Page, () => null, () => null);

        using var elsewhere = await Get(endpoint, "/");
        using var content = new StringContent("x");
        using var posted = await _client.PostAsync(
            new Uri(endpoint.Address + "/metrics"), content, TestContext.Current.CancellationToken);

        elsewhere.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        posted.StatusCode.ShouldBe(HttpStatusCode.MethodNotAllowed);
    }

    [Fact]
    public void Start_WhereAnotherListens_IsRefusedInAWord()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var address = $"http://{other.LocalEndpoint}";

        Should.Throw<RunRefusedException>(() => MetricsEndpoint.Start(address, () => Page, () => null, () => null))
            .Message.ShouldBe($"--metrics {address}: cannot listen there: the address is in use");
    }

    [Fact]
    public void Start_AtAnAddressOfAnotherMachine_IsRefused() =>
        Should.Throw<RunRefusedException>(() => MetricsEndpoint.Start("http://192.0.2.1:9121", () => Page, () => null, () => null));

    [Theory]
    [InlineData("http://127.0.0.1:9121", true)]
    [InlineData("http://localhost:9121/", true)]
    [InlineData("HTTP://[::]:9121", true)]
    [InlineData("http://0.0.0.0:0", true)]
    [InlineData("127.0.0.1:9121", false)]
    [InlineData("https://127.0.0.1:9121", false)]
    [InlineData("http://127.0.0.1", false)]
    [InlineData("http://::1:9121", false)]
    [InlineData("http://:9121", false)]
    [InlineData("http://127.0.0.1:99999", false)]
    [InlineData("http://metrics.example:9121", false)]
    [InlineData("http://127.0.0.1:9121/metrics", false)]
    public void Address_IsOneOfThisMachine(string text, bool isRight) =>
        (MetricsAddress.Problem(text) is null).ShouldBe(isRight);

    private Task<HttpResponseMessage> Get(MetricsEndpoint endpoint, string path) =>
        _client.GetAsync(new Uri(endpoint.Address + path), TestContext.Current.CancellationToken);

    private static Task<string> Text(HttpResponseMessage response) =>
        response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);

    private static bool HasEnded(TcpClient client)
    {
        try
        {
            return ReadAll(client).Length == 0;
        }
        catch (IOException problem) when (problem.InnerException is SocketException
        {
            SocketErrorCode: SocketError.ConnectionReset,
        })
        {
            return true;
        }
    }

    private static byte[] ReadAll(TcpClient client)
    {
        var content = new MemoryStream();
        client.GetStream().CopyTo(content);
        return content.ToArray();
    }
}
