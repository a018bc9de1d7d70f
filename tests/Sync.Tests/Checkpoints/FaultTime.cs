using System.Globalization;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>How long faults are repeated.</summary>
internal static class FaultTime
{
    /// <summary>What <c>REDISLATENCY_TEST_FAULT_SECONDS</c> says, or null.</summary>
    public static int? AskedSeconds { get; } =
        int.TryParse(
            Environment.GetEnvironmentVariable("REDISLATENCY_TEST_FAULT_SECONDS"), CultureInfo.InvariantCulture,
            out var seconds)
            ? seconds
            : null;
}
