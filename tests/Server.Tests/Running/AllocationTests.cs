using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Running;

/// <summary>
/// The server shares its process with what it calibrates: garbage of its own would show as pauses of the measurement.
/// </summary>
[CollectionDefinition(nameof(AllocationTests), DisableParallelization = true)]
[Collection(nameof(AllocationTests))]
public class AllocationTests
{
    private const int Rounds = 20_000;

    /// <summary>
    /// The whole process is counted, the test's own sends and receives with it, and the runtime's own now and then:
    /// what is allowed is far below one smallest object (24 bytes) per command.
    /// </summary>
    private const long Tolerance = Rounds * 4L;

    [Theory]
    [InlineData("+PONG\r\n", "PING")]
    [InlineData("+OK\r\n", "SET", "key", "value")]
    [InlineData("$5\r\nvalue\r\n", "GET", "key")]
    [InlineData(":0\r\n", "PUBLISH", "unheard", "value")]
    public void Command_InSteadyState_AllocatesNothing(string expected, params string[] words)
    {
        using var server = InProcessServer.Start();
        using var client = new BareClient(server.Port);
        client.Exchange(WireClient.Request("SET", "key", "value"), "+OK\r\n".Length);
        Measure(client, WireClient.Request(words), expected.Length).ShouldBeLessThan(Tolerance);
    }

    [Fact]
    public void Message_InSteadyState_AllocatesNothing()
    {
        using var server = InProcessServer.Start();
        using var client = new BareClient(server.Port);
        client.Exchange(WireClient.Request("HELLO", "3"), 1);
        client.Drain();
        client.Exchange(WireClient.Request("SUBSCRIBE", "a"), ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n".Length);
        const string answer = ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$5\r\nvalue\r\n:1\r\n";
        Measure(client, WireClient.Request("PUBLISH", "a", "value"), answer.Length).ShouldBeLessThan(Tolerance);
    }

    private static long Measure(BareClient client, byte[] request, int answerLength)
    {
        Assert.SkipWhen(ReadinessPoller.IsPortable, "The portable poller allocates.");
        for (var round = 0; round < Rounds; round++)
            client.Exchange(request, answerLength);
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var round = 0; round < Rounds; round++)
            client.Exchange(request, answerLength);
        return GC.GetTotalAllocatedBytes(precise: true) - before;
    }
}
