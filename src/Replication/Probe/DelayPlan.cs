using System.Security.Cryptography;

namespace RedisLatency.Replication.Probe;

/// <summary>What the options mean once every default is settled.</summary>
internal sealed class DelayPlan(DelayOptions options)
{
    private static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(10);

    public DelayOptions Options { get; } = options;

    public string Run { get; } = options.Identity.Run ?? "default";

    public string Instance { get; } = options.Identity.Instance ?? Environment.MachineName;

    /// <summary>From one key to the next, in nanoseconds.</summary>
    public double IntervalNs => 1e9 / Options.Rate;

    /// <summary>How many keys are to be written.</summary>
    public long Keys => KeysOf(Options);

    /// <summary>How many keys of warming up.</summary>
    public long WarmUpKeys => (long)Math.Ceiling(Options.Rate * Options.WarmUp.TotalSeconds);

    /// <summary>How long writing is to take.</summary>
    public TimeSpan Planned => TimeSpan.FromSeconds(Keys / Options.Rate);

    /// <summary>The keys of one session: nobody else's are named so.</summary>
    /// <returns>Random, never zero.</returns>
    public static ulong NewSession()
    {
        Span<byte> bytes = stackalloc byte[8];
        RandomNumberGenerator.Fill(bytes);
        return BitConverter.ToUInt64(bytes) | 1;
    }

    /// <summary>How many keys these options ask for.</summary>
    public static long KeysOf(DelayOptions options)
    {
        var duration = options.Duration ?? (options.Keys is null ? DefaultDuration : null);
        var most = duration is { } time ? (long)Math.Min(1e15, Math.Ceiling(options.Rate * time.TotalSeconds)) : long.MaxValue;
        return Math.Max(1, Math.Min(options.Keys ?? long.MaxValue, most));
    }
}
