using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What YCSB was asked for on its command line.</summary>
internal sealed class YcsbOptions : ForeignOptionsOf
{
    /// <summary>Files and properties in their order: files come before all properties.</summary>
    public List<string> Files { get; } = [];

    public List<string> Properties { get; } = [];

    public int? Threads { get; set; }
    public double? Rate { get; set; }
    public bool ShowsStatus { get; set; }
    public bool? IsLoad { get; set; }
    public string Label { get; set; } = string.Empty;

    public static ForeignCatalogue<YcsbOptions> Catalogue { get; } = new ForeignCatalogue<YcsbOptions>()
        .Text("-P", "FILE", (o, file) => o.Files.Add(file),
            "A file of properties; workloads/workloada to f are known where there is no such file")
        .Text("-p", "NAME=VALUE", (o, property) => o.Properties.Add(property), "A property; it wins over files")
        .Flag("-s", o => o.ShowsStatus = true, "A line of status on standard error, every status.interval seconds")
        .Value("-threads", "N", Syntax.SmallCount(1, 100_000, "threads"), (o, count) => o.Threads = count,
            "Connections with one operation in flight each (1); as many threads share them as processors allow")
        .Value("-target", "N", Syntax.Rate(100_000_000, "operations per second"), (o, rate) => o.Rate = rate,
            "Operations per second of all together, by a schedule (0: as fast as replies come)")
        .Flag("-load", o => o.IsLoad = true, "As the word load")
        .Flag("-t", o => o.IsLoad = false, "As the word run")
        .Text("-l", "LABEL", (o, label) => o.Label = label, "What a line of status begins with")
        .Refused("-db", "CLASS", "the only database is Redis; see redis.host")
        .Refused("-cp", "PATH", "there is no Java to find classes")
        .Refused("-jvm-args", "ARGS", "there is no Java virtual machine")
        .Refused("-interactive", null, "shell is not one of the commands here")
        .Flag("--as-original", o => o.AsOriginal = true, "Nothing: its definitions are the correct ones")
        .Flag("--help -help", o => o.IsHelpAsked = true, "This")
        .Flag("--version", o => o.IsVersionAsked = true, "The version");
}
