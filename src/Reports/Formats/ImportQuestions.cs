namespace RedisLatency.Reports.Formats;

/// <summary>What of a file its form leaves open.</summary>
/// <param name="Unit">The unit of its values.</param>
/// <param name="Series">What a series without a name is called.</param>
public sealed record ImportQuestions(ImportUnit Unit, string Series);
