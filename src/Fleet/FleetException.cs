namespace RedisLatency.Fleet;

/// <summary>
/// The members of a run cannot measure together: one is missing, double or of another version, or one has failed. The
/// message names it.
/// </summary>
public sealed class FleetException(string message) : Exception(message);
