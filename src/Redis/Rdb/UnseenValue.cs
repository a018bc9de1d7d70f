namespace RedisLatency.Redis.Rdb;

/// <summary>A visitor that ignores a value, where only its errors matter.</summary>
internal sealed class UnseenValue : IRdbValueVisitor;
