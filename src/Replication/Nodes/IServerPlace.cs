using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;

namespace RedisLatency.Replication.Nodes;

/// <summary>Where one end of a key's way is: always the same server, or whichever serves its slot now.</summary>
internal interface IServerPlace
{
    /// <summary>source or destination.</summary>
    string Role { get; }

    /// <summary>The same for people; of a cluster with the shard.</summary>
    string Label { get; }

    /// <summary>Whether connections must say READONLY before a replica of a cluster lets keys be read.</summary>
    bool IsReplica { get; }

    /// <summary>The server now; null where there is none. The same object as long as it is the same server.</summary>
    ResolvedTarget? Target { get; }

    /// <summary>What results call it: the name of the server now, or of the last that there was.</summary>
    string LastName { get; }

    /// <summary>The server now.</summary>
    /// <exception cref="RedisException">There is none at the moment.</exception>
    ResolvedTarget Require();

    /// <summary>Says that it may no longer be there; returns at once.</summary>
    void Doubt();

    /// <summary>Says so, and waits for a moment for what is known better.</summary>
    void Renew();
}
