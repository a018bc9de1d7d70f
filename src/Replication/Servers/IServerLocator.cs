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

    // The server that MOVED or ASK names; null where nobody can know it.
    ResolvedTarget? NamedBy(string error) => null;

    // Where it may be elsewhere: the map it is known by is doubted, or waited for.
    void Doubt()
    {
    }

    void Renew()
    {
    }
}
