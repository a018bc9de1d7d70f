using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Which rows are lived, with which programs, and how they are told of.</summary>
internal sealed class SelfTestOptions
{
    /// <summary>Whether rows take ten seconds instead of a minute.</summary>
    public bool Short { get; set; }

    /// <summary>The rows to live; empty for all.</summary>
    public IReadOnlyList<string> Only { get; set; } = [];

    /// <summary>How many rows are lived at once, of those that do not need the machine for themselves.</summary>
    public int Jobs { get; set; } = 1;

    /// <summary>Whether rows that this machine cannot do leave the exit code alone.</summary>
    public bool AllowSkips { get; set; }

    /// <summary>The Producer to test; null for the one that was built with the Lab.</summary>
    public string? Producer { get; set; }

    /// <summary>The Consumer to test; null for the one that was built with the Lab.</summary>
    public string? Consumer { get; set; }

    /// <summary>A server to use instead of the Lab's own.</summary>
    public string? Redis { get; set; }

    /// <summary>Where the results of the runs are kept; null for nowhere.</summary>
    public string? Keep { get; set; }

    /// <summary>How the table is printed.</summary>
    public OutputFormat Format { get; set; } = OutputFormat.Text;

    /// <summary>Whether only results and errors are printed.</summary>
    public bool Quiet { get; set; }

    /// <summary>Whether more is told about what goes on.</summary>
    public bool Verbose { get; set; }

    /// <summary>How much is said on standard error.</summary>
    public Verbosity Verbosity => Quiet ? Verbosity.Quiet : Verbose ? Verbosity.Verbose : Verbosity.Normal;
}
