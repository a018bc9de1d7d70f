namespace RedisLatency.Hosting.Options;

/// <summary>What the handler of a command is given.</summary>
public sealed record CommandRun<TOptions>(BoundOptions<TOptions> Options, CommandSurroundings Surroundings);
