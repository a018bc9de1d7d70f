using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Probe;

/// <summary>A look at keys.</summary>
/// <param name="Target">At which server.</param>
/// <param name="Keys">What it found; none where it could not be made.</param>
/// <param name="AskedNs">When it went out.</param>
/// <param name="AnsweredNs">When its answer came.</param>
/// <param name="IsPromoted">Whether the server is no replica any more, so that nothing seen there counts.</param>
internal sealed record KeyLook(
    ResolvedTarget Target, IReadOnlyList<SeenKey> Keys, long AskedNs, long AnsweredNs, bool IsPromoted = false);
