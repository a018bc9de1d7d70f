using System.Diagnostics;
using BenchmarkDotNet.Attributes;
using RedisLatency.Messaging.Frames;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Server;

namespace RedisLatency.Micro.Servers;

/// <summary>
/// A published frame until it is back on the subscription of the same thread, through the raw lane and the server in
/// this process. The server has no path that avoids sockets: each kind costs two sends, two receives and two wake-ups.
/// </summary>
[MemoryDiagnoser]
public class ServerRoundTrip
{
    private static readonly long DeadlineTicks = 10 * Stopwatch.Frequency;

    private readonly byte[] _payload = new byte[FrameLayout.HeaderLength];
    private readonly LaneOptions _laneOptions = new() { PublishChannels = ["micro"], SubscribeChannels = ["micro"] };
    private DirectoryInfo _folder = null!;
    private InProcessServer _onPort = null!;
    private InProcessServer _onUnixSocket = null!;
    private RawLane _overLoopback = null!;
    private RawLane _overUnixSocket = null!;

    [GlobalSetup]
    public void Start()
    {
        _folder = Directory.CreateTempSubdirectory("redislatency-micro-");
        _onPort = InProcessServer.Start();
        _onUnixSocket = InProcessServer.Start(
            new InProcessServerOptions { UnixSocketPath = Path.Combine(_folder.FullName, "redis.sock") });
        _overLoopback = Open(_onPort);
        _overUnixSocket = Open(_onUnixSocket);
    }

    [GlobalCleanup]
    public void Stop()
    {
        _overLoopback.Dispose();
        _overUnixSocket.Dispose();
        _onPort.Dispose();
        _onUnixSocket.Dispose();
        _folder.Delete(recursive: true);
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int OverLoopback() => Exchange(_overLoopback);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int OverUnixSocket() => Exchange(_overUnixSocket);

    private RawLane Open(InProcessServer server) =>
        RawLane.Open(RedisEndpoint.Parse(server.Endpoint), new RedisConnectionOptions(), _laneOptions);

    private int Exchange(RawLane lane)
    {
        lane.DrainReplies();
        lane.Publish(0, _payload);
        var deadline = Stopwatch.GetTimestamp() + DeadlineTicks;
        while (Stopwatch.GetTimestamp() < deadline)
        {
            if (lane.TryReceive(deadline, out var message))
                return message.Payload.Length;
        }

        throw new TimeoutException("The published message has not come back.");
    }
}
