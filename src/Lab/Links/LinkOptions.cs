using RedisLatency.Hosting.Running;

namespace RedisLatency.Lab.Links;

internal sealed class LinkOptions
{
    public string? Listen { get; set; }

    public string? To { get; set; }

    /// <summary>UDP routes: <c>127.0.0.1:7002=127.0.0.1:7777</c>.</summary>
    public IReadOnlyList<string> Udp { get; set; } = [];

    /// <summary>A file that holds a profile, or the profile itself; null for none.</summary>
    public string? Profile { get; set; }

    /// <summary>A delay in place of a profile: <c>14ms</c>, or each way by itself <c>14ms/20ms</c>.</summary>
    public string? Delay { get; set; }

    public string? Truth { get; set; }

    /// <summary>How long the link is there; null until stopped.</summary>
    public TimeSpan? Duration { get; set; }

    public bool Quiet { get; set; }

    public bool Verbose { get; set; }

    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}
