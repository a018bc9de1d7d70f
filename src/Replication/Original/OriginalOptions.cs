using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Replication.Original;

/// <summary>The command line of <c>replicator-delay-test</c>, and a few options that it does not have.</summary>
internal sealed class OriginalOptions
{
    /// <summary>The server's name, address, or endpoint without a port.</summary>
    public string Host { get; set; } = string.Empty;

    /// <summary>Its port.</summary>
    public int Port { get; set; }

    /// <summary>PASSWORD, USER:PASSWORD, <c>-</c> or <c>@FILE</c>.</summary>
    public string Password { get; set; } = string.Empty;

    /// <summary>How many keys.</summary>
    public long Keys { get; set; }

    /// <summary>Writing or reading.</summary>
    public OriginalSide Side { get; set; }

    /// <summary>How TLS trusts and shows certificates; nothing else of it is used.</summary>
    public TargetOptions Tls { get; } = new();

    /// <summary>Keys per second that are written.</summary>
    public double Rate { get; set; } = 1_000;

    /// <summary>The number of the first key that is written.</summary>
    public int FirstKey { get; set; }

    /// <summary>How long written keys live.</summary>
    public TimeSpan Expiry { get; set; } = TimeSpan.FromHours(1);

    /// <summary>Whether keys are overwritten that hold something else than such a test writes.</summary>
    public bool Overwrite { get; set; }

    /// <summary>How long to wait for the first key.</summary>
    public TimeSpan FirstTimeout { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>After how long without another key the rest is missing.</summary>
    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>From one look to the next.</summary>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMicroseconds(200);
}

/// <summary>Which side of the original tool this is.</summary>
internal enum OriginalSide
{
    /// <summary>Writes keys.</summary>
    Set,

    /// <summary>Reads them, and tells the delay.</summary>
    Get,
}
