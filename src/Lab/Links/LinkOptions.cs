using RedisLatency.Hosting.Running;

namespace RedisLatency.Lab.Links;

/// <summary>Where a link is, what it does, and what is kept of it.</summary>
internal sealed class LinkOptions
{
    /// <summary>Where TCP connections are taken: <c>127.0.0.1:7001</c>.</summary>
    public string? Listen { get; set; }

    /// <summary>Where they are taken to.</summary>
    public string? To { get; set; }

    /// <summary>UDP routes: <c>127.0.0.1:7002=127.0.0.1:7777</c>.</summary>
    public IReadOnlyList<string> Udp { get; set; } = [];

    /// <summary>A file that holds a profile, or the profile itself; null for none.</summary>
    public string? Profile { get; set; }

    /// <summary>A delay in place of a profile: <c>14ms</c>, or each way by itself <c>14ms/20ms</c>.</summary>
    public string? Delay { get; set; }

    /// <summary>The file in which the truth is written; null for none.</summary>
    public string? Truth { get; set; }

    /// <summary>How long the link is there; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>Whether only results and errors are printed.</summary>
    public bool Quiet { get; set; }

    /// <summary>Whether more is told about what goes on.</summary>
    public bool Verbose { get; set; }

    /// <summary>How much is said on standard error.</summary>
    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}
