using System.Diagnostics;
using System.Net.Sockets;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Clients;

public class FaultScriptTests
{
    private const string Pong = "+PONG\r\n";

    [Fact]
    public void CorruptReply_ChangesTheNthReplyAlone()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        server.Faults.CorruptReply(2);
        client.Ask(Pong, "PING").ShouldBe(Pong);
        client.Ask(Pong, "PING").ShouldBe("\u0001PONG\r\n");
        client.Ask(Pong, "PING").ShouldBe(Pong);
        server.Faults.Happened.ShouldBe(1);
    }

    [Fact]
    public void DropReply_OfACommand_LeavesOtherRepliesAlone()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        server.Faults.DropReply(1, "SET");
        client.Ask(Pong, "PING").ShouldBe(Pong);
        client.Send("SET", "a", "1");
        const string expected = "$1\r\n1\r\n";
        client.Ask(expected, "GET", "a").ShouldBe(expected);
    }

    [Fact]
    public void DelayReply_HoldsItAndWhatFollows_InOrder()
    {
        var delay = TimeSpan.FromMilliseconds(100);
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        using var other = WireClient.Connect(server.Port);
        server.Faults.DelayReply(1, delay, "ECHO");
        var start = Stopwatch.GetTimestamp();
        client.Send("PING");
        client.Send("ECHO", "x");
        client.Send("PING");
        client.Receive(Pong.Length).ShouldBe(Pong);
        other.Ask(Pong, "PING").ShouldBe(Pong);
        client.Receive(14).ShouldBe("$1\r\nx\r\n+PONG\r\n");
        Stopwatch.GetElapsedTime(start).ShouldBeGreaterThanOrEqualTo(delay);
    }

    [Fact]
    public void CloseAfterReplies_ClosesAfterTheNth()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        server.Faults.CloseAfterReplies(2);
        client.Send("PING");
        client.Send("PING");
        client.Send("PING");
        client.ReceiveToEnd().ShouldBe(Pong + Pong);
        using var next = WireClient.Connect(server.Port);
        next.Ask(Pong, "PING").ShouldBe(Pong);
    }

    [Fact]
    public void RefuseConnections_RefusesUntilAcceptedAgain_OnTheSamePort()
    {
        using var server = InProcessServer.Start();
        using var before = WireClient.Connect(server.Port);
        before.Ask(Pong, "PING").ShouldBe(Pong);
        server.Faults.RefuseConnections();
        Should.Throw<SocketException>(() => WireClient.Connect(server.Port)).SocketErrorCode
            .ShouldBe(SocketError.ConnectionRefused);
        before.Ask(Pong, "PING").ShouldBe(Pong);
        server.Faults.AcceptConnections();
        using var after = WireClient.Connect(server.Port);
        after.Ask(Pong, "PING").ShouldBe(Pong);
    }

    [Fact]
    public void CloseConnections_ClosesAll()
    {
        using var server = InProcessServer.Start();
        using var first = WireClient.Connect(server.Port);
        using var second = WireClient.Connect(server.Port);
        first.Ask(Pong, "PING");
        second.Ask(Pong, "PING");
        server.Faults.CloseConnections();
        first.ReceiveToEnd().ShouldBeEmpty();
        second.ReceiveToEnd().ShouldBeEmpty();
    }

    [Fact]
    public void StallUntilReleased_AnswersNothingUntilThen()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        client.Ask(Pong, "PING").ShouldBe(Pong);
        server.Faults.StallUntilReleased();
        client.Send("PING");
        using var other = WireClient.Connect(server.Port);
        client.HasMore.ShouldBeFalse();
        server.Faults.Release();
        client.Receive(Pong.Length).ShouldBe(Pong);
        other.Ask(Pong, "PING").ShouldBe(Pong);
    }

    [Fact]
    public void Stall_EndsByItself()
    {
        var duration = TimeSpan.FromMilliseconds(100);
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        client.Ask(Pong, "PING").ShouldBe(Pong);
        var start = Stopwatch.GetTimestamp();
        server.Faults.Stall(duration);
        client.Ask(Pong, "PING").ShouldBe(Pong);
        Stopwatch.GetElapsedTime(start).ShouldBeGreaterThanOrEqualTo(duration);
    }

    [Fact]
    public void Dispose_WhileStalled_Ends()
    {
        var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        server.Faults.StallUntilReleased();
        server.Dispose();
        client.ReceiveToEnd().ShouldBeEmpty();
        server.Faults.Release();
        server.Dispose();
    }

    [Theory]
    [InlineData("drop", "1,3,4")]
    [InlineData("duplicate", "1,2,2,3,4")]
    [InlineData("reorder", "1,3,2,4")]
    [InlineData("corrupt", "1,3,3,4")]
    public void MessageFault_ChangesTheSecondMessageAlone(string fault, string expected)
    {
        using var server = InProcessServer.Start();
        using var subscriber = WireClient.Connect(server.Port);
        using var publisher = WireClient.Connect(server.Port);
        subscriber.Exchange("SUBSCRIBE", "a");
        Script(server, fault);
        publisher.Exchange("PUBLISH", "unheard", "9").ShouldBe(":0\r\n");
        foreach (var message in (string[])["1", "2", "3", "4"])
            publisher.Exchange("PUBLISH", "a", message).ShouldBe(":1\r\n");
        server.Faults.Happened.ShouldBe(1);
        var received = expected.Split(',').Select(text => $"*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\n{text}\r\n");
        subscriber.Exchange("PING").ShouldBe(string.Concat(received) + "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
    }

    [Fact]
    public void Clear_ForgetsWhatHasNotHappened()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        server.Faults.CorruptReply(1);
        server.Faults.DropMessage(1);
        server.Faults.Clear();
        client.Ask(Pong, "PING").ShouldBe(Pong);
        server.Faults.Happened.ShouldBe(0);
    }

    private static void Script(InProcessServer server, string fault)
    {
        switch (fault)
        {
            case "drop":
                server.Faults.DropMessage(2, "a");
                break;
            case "duplicate":
                server.Faults.DuplicateMessage(2, "a");
                break;
            case "reorder":
                server.Faults.ReorderMessage(2, "a");
                break;
            default:
                server.Faults.CorruptMessage(2, "a");
                break;
        }
    }
}
