using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using static RedisLatency.Workloads.FrontEnds.ForeignValues;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What YCSB was asked for on its command line.</summary>
internal sealed class YcsbOptions : FrontEndOptions
{
    /// <summary>Files and properties in their order: files come before all properties.</summary>
    public List<string> Files { get; } = [];

    public List<string> Properties { get; } = [];

    public int? Threads { get; set; }
    public double? Rate { get; set; }
    public bool ShowsStatus { get; set; }
    public bool? IsLoad { get; set; }
    public string Label { get; set; } = string.Empty;

    public static OptionCatalogue<YcsbOptions> CreateCatalogue() => new OptionCatalogue<YcsbOptions>("Ycsb")
        .Add("-P FILE", (o, file) => o.Files.Add(file), AnyText,
            "A file of properties; workloads/workloada to f are known where there is no such file")
        .Add("-p NAME=VALUE", (o, property) => o.Properties.Add(property), AnyText, "A property; it wins over files")
        .Add("-s", o => o.ShowsStatus, Syntax.Flag,
            "A line of status on standard error, every status.interval seconds")
        .Add("-threads N", (o, count) => o.Threads = count, Syntax.SmallCount(1, 100_000, "threads"),
            "Connections with one operation in flight each (1); as many threads share them as processors allow")
        .Add("-target N", (o, rate) => o.Rate = rate, Syntax.Rate(100_000_000, "operations per second"),
            "Operations per second of all together, by a schedule (0: as fast as replies come)")
        .Add("-load", (o, _) => o.IsLoad = true, Syntax.Flag, "As the word load")
        .Add("-t", (o, _) => o.IsLoad = false, Syntax.Flag, "As the word run")
        .Add("-l LABEL", o => o.Label, AnyText, "What a line of status begins with")
        .Refuse("-db CLASS", "the only database is Redis; see redis.host")
        .Refuse("-cp PATH", "there is no Java to find classes")
        .Refuse("-jvm-args ARGS", "there is no Java virtual machine")
        .Refuse("-interactive", "shell is not one of the commands here")
        .Add("--as-original", o => o.AsOriginal, Syntax.Flag, "Nothing: its definitions are the correct ones")
        .AddHelp("--help -help", "--version");
}
