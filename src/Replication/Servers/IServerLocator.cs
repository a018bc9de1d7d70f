using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Servers;

/// <summary>Where a key is written or read: always the same server, or whichever serves its slot now.</summary>
internal interface IServerLocator
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
