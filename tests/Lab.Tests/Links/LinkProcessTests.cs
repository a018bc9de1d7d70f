using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Lab.Links;

namespace RedisLatency.Lab.Tests.Links;

public class LinkProcessTests
{
    private const long Millisecond = 1_000_000;

    [Theory]
    [InlineData("{\"forward\":{\"dealy\":\"5ms\"}}", "--profile: forward.dealy: unknown field; did you mean delay?")]
    [InlineData("no-such-file.json", "--profile no-such-file.json: ")]
    public async Task Profile_ThatIsWrong_IsWrongUsage(string profile, string message)
    {
        await using var lab = ServiceProcess.Start(
            "Lab", "link", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:1", "--profile", profile);

        (await lab.End()).ShouldBe(2);
        lab.Errors.ToString().ReplaceLineEndings(" ").ShouldContain(message);
    }

    [Theory]
    [InlineData("--listen 127.0.0.1:0")]
    [InlineData("--delay 14ms")]
    [InlineData("--listen nowhere --to 127.0.0.1:1")]
    [InlineData("--listen 127.0.0.1:0 --to 127.0.0.1:1 --delay 14ms --profile {}")]
    [InlineData("--listen 127.0.0.1:0 --to 127.0.0.1:1 --delay soon")]
    public async Task Options_ThatDoNotFit_AreWrongUsage(string options)
    {
        await using var lab = ServiceProcess.Start("Lab", ["link", .. options.Split(' ')]);

        (await lab.End()).ShouldBe(2, lab.ToString());
    }

    [Fact]
    public async Task Port_ThatIsTaken_IsRefused()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        await using var lab = ServiceProcess.Start(
            "Lab", "link", "--listen", $"{taken.LocalEndpoint}", "--to", "127.0.0.1:1");

        (await lab.End()).ShouldBe(3, lab.ToString());
    }

    [Fact]
    public async Task Truth_OfAnEcho_SaysWhatWasGivenEachWay()
    {
        using var echo = new TcpListener(IPAddress.Loopback, 0);
        echo.Start();
        var port = FreePort.Next();
        await using var lab = ServiceProcess.Start(
            "Lab", "link", "--listen", $"127.0.0.1:{port}", "--to", $"{echo.LocalEndpoint}", "--delay", "5ms/9ms",
            "--truth", "truth.csv");
        await lab.Errors.WaitFor("Linking tcp");

        await SendAndReceive(port, echo);
        (await lab.EndBy("TERM")).ShouldBe(143, lab.ToString());

        var lines = await File.ReadAllLinesAsync(
            Path.Combine(lab.Folder, "truth.csv"), TestContext.Current.CancellationToken);
        lines[0].ShouldBe(TruthLog.Header);
        GivenOf(lines, "forward").ShouldBeGreaterThanOrEqualTo(5 * Millisecond);
        GivenOf(lines, "back").ShouldBeGreaterThanOrEqualTo(9 * Millisecond);
        lab.Output.Lines[^1].ShouldStartWith("RESULT role=link forward=");
    }

    private static async Task SendAndReceive(int port, TcpListener echo)
    {
        var stop = TestContext.Current.CancellationToken;
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port, stop);
        using var server = await echo.AcceptTcpClientAsync(stop);
        var bytes = new byte[1];
        await client.GetStream().WriteAsync(bytes, stop);
        await server.GetStream().ReadExactlyAsync(bytes, stop);
        await server.GetStream().WriteAsync(bytes, stop);
        await client.GetStream().ReadExactlyAsync(bytes, stop);
    }

    private static long GivenOf(IEnumerable<string> lines, string direction) => long.Parse(
        lines.Select(line => line.Split(',')).First(cells => cells[2] == direction && cells[3] == "1")[7],
        System.Globalization.CultureInfo.InvariantCulture);
}
