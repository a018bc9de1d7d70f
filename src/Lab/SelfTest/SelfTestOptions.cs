using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Lab.SelfTest;

internal sealed class SelfTestOptions
{
    public bool Short { get; set; }

    /// <summary>The rows to live; empty for all.</summary>
    public IReadOnlyList<string> Only { get; set; } = [];

    public int Jobs { get; set; } = 1;

    public bool AllowSkips { get; set; }

    /// <summary>The Producer to test; null for the one that was built with the Lab.</summary>
    public string? Producer { get; set; }

    public string? Consumer { get; set; }

    public string? Redis { get; set; }

    /// <summary>Where the results of the runs are kept; null for nowhere.</summary>
    public string? Keep { get; set; }

    public OutputFormat Format { get; set; } = OutputFormat.Text;

    public bool Quiet { get; set; }

    public bool Verbose { get; set; }

    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}
