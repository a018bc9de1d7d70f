namespace RedisLatency.Hosting.Options;

/// <summary>A value that was refused, and what would be right.</summary>
internal readonly record struct OptionProblem(string Text, string Problem);
