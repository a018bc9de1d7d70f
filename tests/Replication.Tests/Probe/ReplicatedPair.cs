using System.Globalization;
using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>
/// A primary and its replica, real ones, with a link between them where asked; further replicas are pairs of their own.
/// </summary>
internal sealed class ReplicatedPair : IAsyncDisposable
{
    private bool _isFurther;

    private ReplicatedPair(RedisServerProcess primary, RedisServerProcess replica, WanLink? link)
    {
        Primary = primary;
        Replica = replica;
        Link = link;
    }

    public RedisServerProcess Primary { get; }

    public RedisServerProcess Replica { get; }

    public WanLink? Link { get; }

    public LinkLog Log { get; private init; } = new();

    /// <summary>Starts both and waits until the replica has what the primary has.</summary>
    /// <param name="profile">What the link between them does; null for none.</param>
    /// <param name="program"><c>redis-server</c> or <c>valkey-server</c>.</param>
    /// <param name="ofPrimary">More arguments of the primary.</param>
    /// <param name="ofReplica">More arguments of the replica.</param>
    public static async Task<ReplicatedPair> Start(
        LinkProfile? profile = null, string program = "redis-server", string[]? ofPrimary = null, string[]? ofReplica = null)
    {
        ServerRequirement.Require(program);
        var primary = await RedisServerProcess.Start(
            program,
            [
                "--repl-disable-tcp-nodelay", "no",
                "--repl-ping-replica-period", "3600", "--repl-timeout", "7200", .. ofPrimary ?? [],
            ]);
        return await Join(primary, profile, program, ofReplica ?? []);
    }

    /// <summary>Starts another replica of the same primary, and waits until it has what the primary has.</summary>
    /// <param name="profile">What the link to it does; null for none.</param>
    public async Task<ReplicatedPair> Further(LinkProfile? profile = null)
    {
        var pair = await Join(Primary, profile, "redis-server", []);
        pair._isFurther = true;
        return pair;
    }

    public async ValueTask DisposeAsync()
    {
        await Replica.DisposeAsync();
        Link?.Dispose();
        if (!_isFurther)
            await Primary.DisposeAsync();
    }

    /// <summary>Sends a command to one of the two.</summary>
    public static string Execute(RedisServerProcess server, params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return connection.Execute(words).ToString();
    }

    private static async Task<ReplicatedPair> Join(
        RedisServerProcess primary, LinkProfile? profile, string program, string[] arguments)
    {
        var log = new LinkLog();
        var link = profile is null ? null : WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, primary.Port))],
            Profile = profile,
            Witness = log,
        });
        var from = (link?.PortOf() ?? primary.Port).ToString(CultureInfo.InvariantCulture);
        var replica = await RedisServerProcess.Start(
            program, ["--replicaof", "127.0.0.1", from, "--repl-timeout", "7200", .. arguments]);
        var pair = new ReplicatedPair(primary, replica, link) { Log = log };
        await pair.WaitUntilLinked();
        return pair;
    }

    // The link is up before the primary sends what is written: that begins with the replica's first acknowledgement.
    private async Task WaitUntilLinked()
    {
        Execute(Primary, "SET", "linked", "1");
        await Eventually.Is("the replica is linked", () => Execute(Replica, "EXISTS", "linked") == "1"
            && Execute(Replica, "ROLE").Contains("connected", StringComparison.Ordinal));
        Execute(Primary, "SET", "streaming", "1");
        await Eventually.Is("the replica follows", () => Execute(Replica, "EXISTS", "streaming") == "1");
        Execute(Primary, "DEL", "linked", "streaming");
    }
}
