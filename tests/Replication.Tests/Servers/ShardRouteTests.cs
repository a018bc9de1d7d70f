using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>What is reported of a shard whose servers change, and what its line in the summary calls them.</summary>
public sealed class ShardRouteTests : IDisposable
{
    private const string Shard = "slots 0-16383";

    private readonly FakeServer _one;
    private readonly FakeServer _other;
    private readonly SessionEvents _events = new();
    private readonly SlotMapSource _map;
    private readonly ShardServer _source;
    private readonly ShardServer _destination;
    private string _slots;

    public ShardRouteTests()
    {
        (_one, _other) = (FakeServer.Start(Answer), FakeServer.Start(Answer));
        _slots = Slots(_one, _other);
        var options = Patience.Connection with { Protocol = Redis.Connections.RespPreference.Resp2, ClientName = string.Empty };
        var endpoint = RedisEndpoint.Parse(_one.Uri);
        _map = SlotMapSource.Open(endpoint, options, TimeSpan.Zero);
        var target = new ResolvedTarget(endpoint, options, DriverKind.Raw);
        var source = new SlotServers(target, _map, isReplica: false);
        var destination = new SlotServers(target, _map, isReplica: true);
        var route = new ShardRoute(source, destination, 100, Shard, _events);
        _source = new ShardServer("source", Shard, source, route, servers => servers.Source);
        _destination = new ShardServer("destination", Shard, destination, route, servers => servers.Destination);
    }

    public void Dispose()
    {
        _map.Dispose();
        _one.Dispose();
        _other.Dispose();
    }

    [Fact]
    public void Changes_AreReportedByTheServersThatThereWere_AndTheLineNamesTheLastOnes()
    {
        ShouldBeCalled(_one, _other);

        Become(Slots(_other));
        ShouldBeCalled(_other, _other);
        Become(Slots(_other, _one));
        ShouldBeCalled(_other, _one);
        Become("*0\r\n");
        ShouldBeCalled(_other, _one);
        Become(Slots(_one, _other));
        ShouldBeCalled(_one, _other);

        _events.All.Select(noted => (noted.Kind, noted.Text)).ShouldBe(
        [
            ("failover", $"{Shard}: written to {Name(_other)} now, and no longer to {Name(_one)}"),
            ("destination-changed", $"{Shard}: there is no server to read its keys from any more"),
            ("destination-changed", $"{Shard}: read from {Name(_one)} now"),
            ("source-changed", $"{Shard}: no server has the slot of its keys any more"),
            ("destination-changed", $"{Shard}: there is no server to read its keys from any more"),
            ("source-changed", $"{Shard}: written to {Name(_one)} now"),
            ("destination-changed", $"{Shard}: read from {Name(_other)} now"),
        ]);
    }

    private void ShouldBeCalled(FakeServer source, FakeServer destination) =>
        (_source.LastName, _destination.LastName).ShouldBe((Name(source), Name(destination)));

    private void Become(string slots)
    {
        Volatile.Write(ref _slots, slots);
        var before = _map.Current;
        _map.Renew(before, ServiceProcess.LimitAgainstHangs).Version.ShouldBeGreaterThan(before.Version);
    }

    private static string Name(FakeServer server) => server.Uri["redis://".Length..];

    private static string Slots(params FakeServer[] servers) =>
        $"*1\r\n*{2 + servers.Length}\r\n:0\r\n:16383\r\n"
        + string.Concat(servers.Select(server => $"*2\r\n$9\r\n127.0.0.1\r\n:{server.Uri.Split(':')[2]}\r\n"));

    private void Answer(System.Net.Sockets.Socket client, int connection)
    {
        var request = new byte[4096];
        while (client.Receive(request) is var count and > 0)
        {
            var isSlots = Encoding.ASCII.GetString(request, 0, count).Contains("SLOTS", StringComparison.Ordinal);
            FakeServer.Say(client, isSlots ? Volatile.Read(ref _slots) : "-ERR no\r\n");
        }
    }
}
