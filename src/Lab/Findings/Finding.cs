namespace RedisLatency.Lab.Findings;

/// <summary>One thing that was planted, beside what was reported of it.</summary>
/// <param name="What">What.</param>
/// <param name="Planted">What is true, or what must hold.</param>
/// <param name="Reported">What the suite said.</param>
/// <param name="Holds">Whether the two agree.</param>
internal sealed record Finding(string What, string Planted, string Reported, bool Holds);
