namespace RedisLatency.Redis.Rdb;

/// <summary>Where only what is wrong with a value matters.</summary>
internal sealed class UnseenValue : IRdbValueVisitor;
