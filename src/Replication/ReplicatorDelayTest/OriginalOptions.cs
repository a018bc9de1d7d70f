using RedisLatency.Hosting.Options;

namespace RedisLatency.Replication.ReplicatorDelayTest;

internal sealed class OriginalOptions
{
    public string Host { get; set; } = string.Empty;
    public int Port { get; set; }
    public string Password { get; set; } = string.Empty;
    public long Keys { get; set; }
    public OriginalSide Side { get; set; }
    public TargetOptions Tls { get; } = new();
    public double Rate { get; set; } = 1_000;
    public int FirstKey { get; set; }
    public TimeSpan Expiry { get; set; } = TimeSpan.FromHours(1);
    public bool Overwrite { get; set; }
    public TimeSpan FirstTimeout { get; set; } = TimeSpan.FromMinutes(10);
    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(10);
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);
}
