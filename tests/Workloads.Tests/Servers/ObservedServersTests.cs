using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads.Tests.Servers;

/// <summary>What is said of a server whose own facts are not known.</summary>
public sealed class ObservedServersTests
{
    [Fact]
    public void ServerThatDidNotAnswerBefore_IsNotCalledAnother()
    {
        using var server = InProcessServer.Start();
        var observed = new ObservedServers(
            [new ResolvedTarget(RedisEndpoint.Parse(server.Endpoint), Patience.Connection, DriverKind.Raw)],
            new HashSet<string>());

        server.Faults.RefuseConnections();
        observed.ReadBefore([]);
        server.Faults.AcceptConnections();
        observed.ReadAfter([]);

        observed.Missing.ShouldHaveSingleItem().ShouldBe("it could not be asked before the phase");
        observed.Commands.ShouldBeEmpty();
    }
}
