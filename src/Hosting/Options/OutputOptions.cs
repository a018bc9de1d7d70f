using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Options;

/// <summary>What a run prints and leaves behind, and what it must fulfil.</summary>
public sealed class OutputOptions
{
    public string Folder { get; set; } = "results";
    public OutputFormat Format { get; set; } = OutputFormat.Text;

    /// <summary>Whether everything is printed that is known of the run, and not one screen.</summary>
    public bool Details { get; set; }

    public LiveView Live { get; set; } = LiveView.Auto;

    /// <summary>Where the page of the run is served while it lasts, <c>ADDRESS:PORT</c>; null for nowhere.</summary>
    public string? LivePage { get; set; }

    /// <summary>The file with the password of that page; null where it has none.</summary>
    public string? LivePageTokenFile { get; set; }

    public bool Quiet { get; set; }

    /// <summary>Whether more is told about what goes on, and where an error arose.</summary>
    public bool Verbose { get; set; }

    public IReadOnlyList<Threshold> Thresholds { get; set; } = [];

    /// <summary>Where thresholds are written as test cases; null for nowhere.</summary>
    public string? JUnit { get; set; }

    /// <summary>Whether the answer goes to the page of a CI system's step, too.</summary>
    public bool StepSummary { get; set; }

    /// <summary>Whether a run that is measured but in doubt ends with 4 instead of 0.</summary>
    public bool Strict { get; set; }

    /// <summary>How much is said on standard error.</summary>
    public Verbosity Verbosity => (Quiet, Verbose) switch
    {
        (true, _) => Verbosity.Quiet,
        (_, true) => Verbosity.Verbose,
        _ => Verbosity.Normal,
    };
}
