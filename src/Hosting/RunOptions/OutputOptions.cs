using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.RunOptions;

/// <summary>What a run prints and leaves behind, and what it must fulfil.</summary>
public sealed class OutputOptions
{
    /// <summary>The folder in which the run's own results folder is made.</summary>
    public string Folder { get; set; } = "results";

    /// <summary>How results are printed.</summary>
    public OutputFormat Format { get; set; } = OutputFormat.Text;

    /// <summary>What is shown while the run goes on.</summary>
    public LiveView Live { get; set; } = LiveView.Auto;

    /// <summary>Whether only results and errors are printed.</summary>
    public bool Quiet { get; set; }

    /// <summary>Whether more is told about what goes on, and where an error arose.</summary>
    public bool Verbose { get; set; }

    /// <summary>What must hold for the run to end with 0.</summary>
    public IReadOnlyList<Threshold> Thresholds { get; set; } = [];

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

/// <summary>What is shown while a run goes on.</summary>
public enum LiveView
{
    /// <summary>A table on a terminal, lines where output is redirected.</summary>
    Auto,

    /// <summary>A table that is drawn over.</summary>
    Rich,

    /// <summary>One line per interval.</summary>
    Plain,

    /// <summary>Nothing; the reference for published numbers.</summary>
    None,
}

/// <summary>How results are printed on standard output.</summary>
public enum OutputFormat
{
    /// <summary>For people.</summary>
    Text,

    /// <summary>One JSON document.</summary>
    Json,

    /// <summary>A header and rows.</summary>
    Csv,
}
