namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// The version of StackExchange.Redis that runs lacks what was asked for; thrown before anything is opened.
/// The message names the version and what would help.
/// </summary>
public sealed class UnsupportedByDriverException(string message) : RedisException(message);
