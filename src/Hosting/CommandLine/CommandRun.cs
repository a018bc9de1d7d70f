using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.CommandLine;

/// <summary>What the handler of a command is given.</summary>
/// <param name="Options">The options, checked, with the place each came from.</param>
/// <param name="Surroundings">Where to print, and the environment.</param>
public sealed record CommandRun<TOptions>(BoundOptions<TOptions> Options, CommandSurroundings Surroundings);
