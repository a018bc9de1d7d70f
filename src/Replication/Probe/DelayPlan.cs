using System.Security.Cryptography;

namespace RedisLatency.Replication.Probe;

internal sealed class DelayPlan(DelayOptions options)
{
    private static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(10);

    public DelayOptions Options { get; } = options;
    public string Run { get; } = options.Identity.Run ?? "default";
    public string Instance { get; } = options.Identity.Instance ?? Environment.MachineName;

    public double IntervalNs => 1e9 / Options.Rate;

    public long Keys => KeysOf(Options);

    public long WarmUpKeys => (long)Math.Ceiling(Options.Rate * Options.WarmUp.TotalSeconds);

    public TimeSpan Planned => TimeSpan.FromSeconds(Keys / Options.Rate);

    public static ulong NewSession()
    {
        Span<byte> bytes = stackalloc byte[8];
        RandomNumberGenerator.Fill(bytes);
        return BitConverter.ToUInt64(bytes) | 1;
    }

    public static long KeysOf(DelayOptions options)
    {
        var duration = options.Duration ?? (options.Keys is null ? DefaultDuration : null);
        var most = duration is { } time ? (long)Math.Min(1e15, Math.Ceiling(options.Rate * time.TotalSeconds)) : long.MaxValue;
        return Math.Max(1, Math.Min(options.Keys ?? long.MaxValue, most));
    }
}
