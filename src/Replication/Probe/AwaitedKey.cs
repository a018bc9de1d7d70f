namespace RedisLatency.Replication.Probe;

/// <summary>A key that a push has not told of, or of which it is not known yet when it was sent.</summary>
/// <param name="Key">The key.</param>
/// <param name="PushedNs">When its push was here; zero where none was.</param>
/// <param name="SeenNs">When the answer came that held it although no push was here; zero where none did.</param>
internal readonly record struct AwaitedKey(PendingKey Key, long PushedNs = 0, long SeenNs = 0);
