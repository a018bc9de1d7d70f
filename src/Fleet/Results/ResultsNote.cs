namespace RedisLatency.Fleet.Results;

/// <summary>Whose results a run's name stands for.</summary>
internal sealed record ResultsNote(string Session, string Expect);
