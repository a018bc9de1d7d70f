namespace RedisLatency.Lab;

/// <summary>The Lab without a verb has no options.</summary>
internal sealed class LabOptions;
