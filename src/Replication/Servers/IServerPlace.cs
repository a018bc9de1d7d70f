using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Servers;

/// <summary>Where a key is written or read: always the same server, or whichever serves its slot now.</summary>
internal interface IServerPlace
{
    string Role { get; }
    string Label { get; }
    bool IsReplica => false;
    ResolvedTarget? Target { get; }
    string LastName { get; }
    ResolvedTarget Require();

    // Where it may be elsewhere: the map it is known by is doubted, or waited for.
    void Doubt()
    {
    }

    void Renew()
    {
    }
}

internal sealed class FixedPlace(string role, ResolvedTarget target, string? label = null) : IServerPlace
{
    public string Role => role;

    public string Label => label ?? role;

    public ResolvedTarget Target => target;

    public string LastName => target.Name;

    public ResolvedTarget Require() => target;
}

internal sealed record KeyWay(string? Shard, string Prefix, IServerPlace Source, IServerPlace Destination)
{
    public int Stream { get; init; }
    public int DestinationNumber { get; init; }

    // What is written: every destination reads the same.
    public static IReadOnlyList<(string Prefix, IServerPlace Place)> StreamsOf(IEnumerable<KeyWay> ways) =>
        [.. ways.DistinctBy(way => way.Stream).OrderBy(way => way.Stream).Select(way => (way.Prefix, way.Source))];
}
