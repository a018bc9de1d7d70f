namespace RedisLatency.Workloads.Engine;

/// <summary>What sends and receives for an engine.</summary>
/// <param name="Name">As <c>--driver</c> has it.</param>
/// <param name="Version">Its version.</param>
/// <param name="Loop">How bytes travel: <c>epoll_pwait2</c>, or the client's own threads.</param>
/// <param name="LoopFallBack">Why that is not the best loop though the best was asked for, or null.</param>
internal sealed record EngineDriver(string Name, string Version, string Loop, string? LoopFallBack = null)
{
    /// <summary>Whether it is a client library with threads of its own.</summary>
    public bool IsClientLibrary { get; init; }

    /// <summary>The version of RESP where it is not that of a connection of ours; null where it is.</summary>
    public int? Protocol { get; init; }
}
