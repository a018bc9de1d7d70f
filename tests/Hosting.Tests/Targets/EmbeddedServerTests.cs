using System.Net.Sockets;
using System.Text;

namespace RedisLatency.Hosting.Targets;

public sealed class EmbeddedServerTests
{
    [Fact]
    public async Task Start_ListensOnALoopbackPortOfItsOwn()
    {
        using var one = EmbeddedServer.Start();
        using var other = EmbeddedServer.Start();

        other.Endpoint.ShouldNotBe(one.Endpoint);
        (await Ping(one)).ShouldBe("+PONG\r\n");
        (await Ping(other)).ShouldBe("+PONG\r\n");
    }

    [Fact]
    public async Task Dispose_ClosesThePort()
    {
        var server = EmbeddedServer.Start();
        server.Dispose();

        await Should.ThrowAsync<SocketException>(() => Ping(server));
    }

    private static async Task<string> Ping(EmbeddedServer server)
    {
        var endpoint = new Uri(server.Endpoint);
        endpoint.Scheme.ShouldBe("redis");
        using var client = new TcpClient();
        await client.ConnectAsync(endpoint.Host, endpoint.Port, TestContext.Current.CancellationToken);
        var stream = client.GetStream();
        await stream.WriteAsync("PING\r\n"u8.ToArray(), TestContext.Current.CancellationToken);
        var reply = new byte[7];
        await stream.ReadExactlyAsync(reply, TestContext.Current.CancellationToken);
        return Encoding.ASCII.GetString(reply);
    }
}
