namespace RedisLatency.Messaging.OneWay;

/// <summary>What one producer told: a window, or that no more will come.</summary>
/// <param name="Producer">The producing process.</param>
/// <param name="Window">The window; null where no more will come.</param>
internal readonly record struct OffsetNotice(ulong Producer, ToldWindow? Window);
