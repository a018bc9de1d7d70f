namespace RedisLatency.Lab.SelfTest;

/// <summary>One thing that was planted, beside what was reported of it.</summary>
internal sealed record Finding(string What, string Planted, string Reported, bool Holds);
