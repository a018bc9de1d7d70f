using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>A server that knows no HELLO, and CLUSTER SLOTS by heart, and counts how often it is asked.</summary>
internal sealed class FakeCluster : IDisposable
{
    private readonly FakeServer _server;
    private int _asked;

    public FakeCluster(string slots)
    {
        Slots = slots;
        _server = FakeServer.Start((client, _) =>
        {
            var buffer = new byte[4096];
            while (client.Receive(buffer) is var count and > 0)
            {
                var request = Encoding.ASCII.GetString(buffer, 0, count);
                if (request.Contains("SLOTS", StringComparison.Ordinal))
                {
                    Interlocked.Increment(ref _asked);
                    Gate.Wait(RedisTest.Cancellation);
                    FakeServer.Say(client, Slots);
                }
                else
                {
                    var isShards = request.Contains("SHARDS", StringComparison.Ordinal);
                    FakeServer.Say(client, isShards ? Shards : "-ERR no\r\n");
                }
            }
        });
    }

    /// <summary>The reply to CLUSTER SLOTS.</summary>
    public string Slots { get; set; }

    /// <summary>The reply to CLUSTER SHARDS.</summary>
    public string Shards { get; set; } = "-ERR unknown subcommand 'SHARDS'\r\n";

    /// <summary>Closed, it holds back the reply.</summary>
    public ManualResetEventSlim Gate { get; } = new(true);

    /// <summary>How often CLUSTER SLOTS was asked.</summary>
    public int Asked => Volatile.Read(ref _asked);

    public string Uri => _server.Uri;

    public SlotMapSource Open(TimeSpan? leastInterval = null) =>
        SlotMapSource.Open(RedisEndpoint.Parse(Uri), leastInterval: leastInterval);

    public void Dispose()
    {
        Gate.Set();
        _server.Dispose();
    }
}
