using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.Results;

/// <summary>Who measures; its options are asked for when the record is made.</summary>
public sealed record RunMember(
    string Role, string Run, string Instance, string? Region, Func<IReadOnlyList<EffectiveOption>> Options);
