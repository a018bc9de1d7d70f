using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Servers;

public class NodeStateTests
{
    /// <summary>Each command of a module is a line of commandstats.</summary>
    [Fact]
    public void State_OfAServerWithThousandsOfCommands_IsRead()
    {
        var commands = string.Concat(Enumerable.Range(0, 10_000).Select(number => $"cmdstat_m{number}:calls=1,usec=1\r\n"));
        string[] sections = ["run_id:a", "role:master", "sync_full:2", $"{commands}cmdstat_flushall:calls=3,usec=9"];
        using var server = FakeServer.Answering([.. sections.Select(text => $"${text.Length}\r\n{text}\r\n")]);
        using var connection = RedisConnection.Open(
            RedisEndpoint.Parse(server.Uri),
            Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty });

        var (state, refusal) = NodeState.Read(connection);

        refusal.ShouldBeNull();
        state.ShouldBe(new NodeState
        {
            RunId = "a",
            Role = "master",
            FullResyncs = 2,
            Flushes = 3,
            ReadingMicroseconds = state!.ReadingMicroseconds,
        });
    }
}
