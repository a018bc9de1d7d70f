using System.Net.Sockets;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>A Sentinel that says what it is told to say, of whatever service, right or wrong.</summary>
internal sealed class FakeSentinel : IDisposable
{
    private readonly FakeServer _server;
    private int _asked;

    /// <param name="reply">The reply to SENTINEL.</param>
    public FakeSentinel(string reply)
    {
        Reply = reply;
        _server = FakeServer.Start((client, _) => Play(client));
    }

    /// <summary>The reply to SUBSCRIBE.</summary>
    public string Confirmation { get; set; } = "*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n";

    /// <summary>The reply to SENTINEL.</summary>
    public string Reply { get; set; }

    /// <summary>The epoch of its configuration, which it does not tell where it is null.</summary>
    public string? Epoch { get; set; }

    /// <summary>How often SENTINEL was asked.</summary>
    public int Asked => Volatile.Read(ref _asked);

    public int Port => RedisEndpoint.Parse(_server.Uri).Port;

    /// <summary>The endpoint of a service that it watches.</summary>
    public RedisEndpoint Endpoint => RedisEndpoint.Parse($"redis+sentinel://127.0.0.1:{Port}/mymaster");

    /// <summary>An address as the reply to GET-MASTER-ADDR-BY-NAME.</summary>
    public static string Naming(int port) => Naming("127.0.0.1", $"{port}");

    public static string Naming(string host, string port) =>
        $"*2\r\n${host.Length}\r\n{host}\r\n${port.Length}\r\n{port}\r\n";

    public void Dispose() => _server.Dispose();

    private void Play(Socket client)
    {
        var buffer = new byte[4096];
        while (client.Receive(buffer) is var count and > 0)
        {
            var request = Encoding.ASCII.GetString(buffer, 0, count);
            if (request.Contains("SENTINEL", StringComparison.Ordinal))
            {
                Interlocked.Increment(ref _asked);
                FakeServer.Say(client, Epoch is { } epoch && !request.Contains("GET-MASTER", StringComparison.Ordinal)
                    ? Replies.Array(Replies.Bulk("config-epoch"), Replies.Bulk(epoch))
                    : Reply);
            }
            else
            {
                FakeServer.Say(client, request.Contains("SUBSCRIBE", StringComparison.Ordinal)
                    ? Confirmation
                    : "-ERR unknown command\r\n");
            }
        }
    }
}
