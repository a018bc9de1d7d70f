using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

internal static class PhaseNames
{
    private static readonly string[] Names =
        ["resolve", "connect", "calibr.", "peers", "warm-up", "measure", "drain", "report"];

    /// <summary>A word of at most seven letters.</summary>
    public static string Short(RunPhase phase) => Names[(int)phase];
}
