namespace RedisLatency.Reports.Values;

/// <summary>What became of a text that a user gave for an option: a value, or what is wrong with it.</summary>
/// <param name="Value">The value; meaningful only where <paramref name="Problem"/> is null.</param>
/// <param name="Problem">What would be right, as the end of a sentence such as <c>--rate 1e9: at most 10</c>.</param>
public readonly record struct ValueReading<T>(T? Value, string? Problem);
