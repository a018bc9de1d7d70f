namespace RedisLatency.Reports.Formats;

/// <summary>A condition, and what became of it.</summary>
/// <param name="Subject">What it is about, such as <c>rtt.p99</c>.</param>
/// <param name="Name">The condition.</param>
/// <param name="Holds">Whether it holds; null where nobody can tell.</param>
/// <param name="Message">What was found.</param>
public sealed record JUnitCase(string Subject, string Name, bool? Holds, string Message);
