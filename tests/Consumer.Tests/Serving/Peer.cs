using System.Diagnostics;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Consumer.Tests.Serving;

/// <summary>Somebody on the other side of the Consumer's channels, who sends whatever a test wants.</summary>
internal sealed class Peer(RedisServerProcess server, string ping = ConsumerTest.Ping, string pong = ConsumerTest.Pong)
    : IDisposable
{
    private readonly RawLane _lane = RawLane.Open(
        RedisEndpoint.Parse(server.Uri),
        new RedisConnectionOptions(),
        new LaneOptions { PublishChannels = [ping], SubscribeChannels = [pong], MaxPayload = 8 << 20 });

    public void Send(ReadOnlySpan<byte> message)
    {
        _lane.Publish(0, message);
        _lane.DrainReplies();
    }

    public void Send(string message) => Send(Encoding.ASCII.GetBytes(message));

    /// <summary>The next message that comes back, or null where none does for so long.</summary>
    public byte[]? TryReceive(TimeSpan limit)
    {
        var until = Stopwatch.GetTimestamp() + (long)(limit.TotalSeconds * Stopwatch.Frequency);
        while (Stopwatch.GetTimestamp() < until)
        {
            if (_lane.TryReceive(until, out var message))
                return message.Payload.ToArray();
        }

        return null;
    }

    public byte[] Receive() => TryReceive(ServiceProcess.LimitAgainstHangs).ShouldNotBeNull();

    /// <summary>
    /// Sends a plain count and expects it as the very next answer: what was sent before it has been taken by then, and
    /// was not answered.
    /// </summary>
    public void ExpectNothingBut(string count)
    {
        Send(count);
        Encoding.ASCII.GetString(Receive()).ShouldBe(count);
    }

    public void Dispose() => _lane.Dispose();
}
