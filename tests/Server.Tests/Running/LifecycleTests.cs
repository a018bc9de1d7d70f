using System.Net;
using System.Net.Sockets;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Running;

public class LifecycleTests
{
    [Fact]
    public void Start_OnATakenPort_Throws()
    {
        using var first = InProcessServer.Start();
        Should.Throw<SocketException>(() => InProcessServer.Start(new InProcessServerOptions { Port = first.Port }))
            .SocketErrorCode.ShouldBe(SocketError.AddressAlreadyInUse);
    }

    [Fact]
    public void Endpoint_IsOnTheLoopback()
    {
        using var server = InProcessServer.Start();
        var endpoint = new Uri(server.Endpoint);
        IPAddress.IsLoopback(IPAddress.Parse(endpoint.Host)).ShouldBeTrue();
        endpoint.Port.ShouldBe(server.Port);
    }

    [Fact]
    public void Dispose_ClosesConnections_AndRefusesNewOnes()
    {
        var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        client.Ask("+PONG\r\n", "PING").ShouldBe("+PONG\r\n");
        server.Dispose();
        client.ReceiveToEnd().ShouldBeEmpty();
        Should.Throw<SocketException>(() => WireClient.Connect(server.Port));
    }

    [Fact]
    public void ManyClients_PipeliningBytesInPieces_AreAllAnswered()
    {
        const int clients = 100;
        using var server = InProcessServer.Start();
        var connected = Enumerable.Range(0, clients).Select(_ => WireClient.Connect(server.Port)).ToList();
        var request = WireClient.Request("INCR", "counter");
        foreach (var client in connected)
        {
            client.SendRaw(request);
            client.SendRaw(request.AsSpan(0, 7));
        }

        foreach (var client in connected)
            client.SendRaw(request.AsSpan(7));
        foreach (var client in connected)
            client.Receive(4).ShouldStartWith(":");
        using var last = WireClient.Connect(server.Port);
        connected.ForEach(client => client.Exchange("PING"));
        last.Exchange("GET", "counter").ShouldBe("$3\r\n200\r\n");
        connected.ForEach(client => client.Dispose());
    }

    [Fact]
    public void LargeReply_ToASlowReader_ArrivesWhole()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port, receiveBuffer: 4096);
        var value = new string('v', 5_000_000);
        client.Exchange("SET", "key", value).ShouldBe("+OK\r\n");
        client.Send("GET", "key");
        client.Send("GET", "key");
        var expected = $"$5000000\r\n{value}\r\n";
        client.Receive(expected.Length * 2).ShouldBe(expected + expected);
    }
}
