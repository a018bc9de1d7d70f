namespace RedisLatency.Hosting.CommandLine;

/// <summary>A command line to copy, with what it is for.</summary>
/// <param name="Purpose">What it does, in one line.</param>
/// <param name="Command">What to type after the program's name.</param>
public sealed record CommandExample(string Purpose, string Command);
