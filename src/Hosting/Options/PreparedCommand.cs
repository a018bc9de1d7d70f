namespace RedisLatency.Hosting.Options;

/// <summary>A command with its options bound; verbose is null where it cannot be asked to be.</summary>
internal sealed record PreparedCommand(
    Func<CancellationToken, Task<int>> Run, IReadOnlyList<EffectiveOption> Effective, bool? IsVerbose);
