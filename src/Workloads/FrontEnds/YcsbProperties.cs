using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using static RedisLatency.Workloads.FrontEnds.ForeignValues;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The properties of YCSB's core, of its core workload and of its Redis binding.</summary>
internal sealed class YcsbProperties
{
    private const string NoJava = "there is no Java virtual machine";
    private const string Timeseries = "the measurement is a histogram; the results folder of run has a series";

    public ForeignTarget Target { get; } = new() { Host = string.Empty };

    public long? Records { get; set; }
    public long? Operations { get; set; }
    public long FirstInsert { get; set; }
    public long? Inserts { get; set; }
    public int Threads { get; set; } = 1;
    public double Rate { get; set; }
    public int MaximumSeconds { get; set; }
    public int StatusSeconds { get; set; } = 10;
    public bool ShowsStatus { get; set; }
    public string Label { get; set; } = string.Empty;
    public string Exporter { get; set; } = "TextMeasurementsExporter";
    public string? ExportFile { get; set; }
    public string Interval { get; set; } = "op";
    public IReadOnlyList<double> Percentiles { get; set; } = [50, 95, 99];
    public bool WritesLogs { get; set; }
    public string LogPath { get; set; } = string.Empty;
    public int Fields { get; set; } = 10;
    public string FieldPrefix { get; set; } = "field";
    public int FieldLength { get; set; } = 100;
    public int LeastFieldLength { get; set; } = 1;
    public string FieldLengths { get; set; } = "constant";
    public string LengthFile { get; set; } = "hist.txt";
    public bool ReadsAllFields { get; set; } = true;
    public bool WritesAllFields { get; set; }
    public double Reads { get; set; } = 0.95;
    public double Updates { get; set; } = 0.05;
    public double InsertShare { get; set; }
    public double Scans { get; set; }
    public double ReadModifyWrites { get; set; }
    public string Distribution { get; set; } = "uniform";
    public int ZeroPadding { get; set; } = 1;
    public int LongestScan { get; set; } = 1000;
    public bool IsHashed { get; set; } = true;
    public (double Data, double Operations) Hotspot { get; set; } = (0.2, 0.8);
    public (double Percentile, double Share) Exponential { get; set; } = (95, 0.8571428571);
    public int Retries { get; set; }
    public bool IsCluster { get; set; }
    public bool IsOfStrings { get; set; }
    public bool IsLoad { get; set; }

    public static OptionCatalogue<YcsbProperties> Catalogue { get; } =
        Measured(Workload(Binding(Client(new OptionCatalogue<YcsbProperties>("YcsbProperties")))));

    private static OptionCatalogue<YcsbProperties> Client(OptionCatalogue<YcsbProperties> all) => all
        .Add("recordcount N", (o, count) => o.Records = count, Count(), "Records; more than 2^31, too")
        .Add("operationcount N", (o, count) => o.Operations = count, Count(), "Operations of a run")
        .Add("insertstart N", o => o.FirstInsert, Count(), "The first record (0)")
        .Add("insertcount N", (o, count) => o.Inserts = count, Count(),
            "Records of a load (recordcount), and of what a run draws (all from insertstart)")
        .Add("threadcount N", o => o.Threads, Syntax.SmallCount(1, 100_000), "As -threads (1)")
        .Add("target N", o => o.Rate, Syntax.Rate(100_000_000, "operations per second"), "As -target (0)")
        .Add("maxexecutiontime SECONDS", o => o.MaximumSeconds, Syntax.SmallCount(0, int.MaxValue),
            "The longest a load or run takes (0: no limit)")
        .Add("dotransactions BOOLEAN", (o, runs) => o.IsLoad = !runs, Boolean(), "false loads (by the command)")
        .Add("status BOOLEAN", o => o.ShowsStatus, Boolean(), "As -s (false)")
        .Add("status.interval SECONDS", o => o.StatusSeconds, Syntax.SmallCount(1, 86_400),
            "Seconds between two lines of status (10)")
        .Add("label TEXT", o => o.Label, AnyText, "As -l")
        .Add("workload CLASS", (_, _) => { }, Ending("CoreWorkload"), "CoreWorkload, of any package")
        .Add("db CLASS", (_, _) => { }, AnyText, "Nothing: the database is Redis")
        .Add("spin.sleep BOOLEAN", (_, _) => { }, Boolean(), "Nothing: the last microseconds are spun in any case")
        .Refuse("htrace.spanReceiver CLASS", "traces are not written");

    private static OptionCatalogue<YcsbProperties> Binding(OptionCatalogue<YcsbProperties> all) => all
        .Add("redis.host HOST", (o, host) => o.Target.Host = host, AnyText, "The server; needed")
        .Add("redis.port PORT", (o, port) => o.Target.Port = port, Syntax.SmallCount(1, 65_535), "6379")
        .Add("redis.password PASSWORD", (o, password) => o.Target.Password = password, AnyText,
            "In a cluster, too; better in the variable REDISCLI_AUTH")
        .Add("redis.cluster BOOLEAN", o => o.IsCluster, Boolean(),
            "Each key goes to the node that has its slot (false); there without _indices, so without scans of hashes")
        .Add("redis.timeout MS", (o, time) => o.Target.Options.CommandTimeout = TimeSpan.FromMilliseconds(time),
            Syntax.SmallCount(1, int.MaxValue), "The longest wait for a reply (2000)")
        .Add("redis.command_group string|hash", (o, group) => o.IsOfStrings = group == "string", Word("string", "hash"),
            "Tair's binding: string writes and reads records by SET and GET (hash)")
        .Add("table NAME", (_, _) => { }, AnyText, "Nothing, as in the original's Redis binding");

    private static OptionCatalogue<YcsbProperties> Workload(OptionCatalogue<YcsbProperties> all) => all
        .Add("fieldcount N", o => o.Fields, Syntax.SmallCount(1, 10_000), "Fields of a hash (10)")
        .Add("fieldnameprefix TEXT", o => o.FieldPrefix, AnyText, "field")
        .Add("fieldlength BYTES", o => o.FieldLength, Syntax.SmallCount(1, 512 << 20), "100")
        .Add("minfieldlength BYTES", o => o.LeastFieldLength, Syntax.SmallCount(1, 512 << 20), "1")
        .Add("fieldlengthdistribution NAME", o => o.FieldLengths, Word("constant", "uniform", "zipfian", "histogram"),
            "constant")
        .Add("fieldlengthhistogram FILE", o => o.LengthFile, AnyText, "hist.txt")
        .Add("readallfields BOOLEAN", o => o.ReadsAllFields, Boolean(), "HGETALL or HMGET (true)")
        .Add("readallfieldsbyname BOOLEAN", (_, _) => { }, Only(false, "all fields are read by HGETALL"),
            "Only false: all fields are read by HGETALL")
        .Add("writeallfields BOOLEAN", o => o.WritesAllFields, Boolean(), "false")
        .Add("dataintegrity BOOLEAN", (_, _) => { }, Only(false, "what is read is compared by run --verify"),
            "Only false: what is read is compared by run --verify")
        .Add("readproportion SHARE", o => o.Reads, Share(), "0.95")
        .Add("updateproportion SHARE", o => o.Updates, Share(), "0.05")
        .Add("insertproportion SHARE", o => o.InsertShare, Share(), "0")
        .Add("scanproportion SHARE", o => o.Scans, Share(), "0")
        .Add("readmodifywriteproportion SHARE", o => o.ReadModifyWrites, Share(), "0")
        .Add("requestdistribution NAME", o => o.Distribution,
            Word("uniform", "zipfian", "latest", "hotspot", "exponential", "sequential"), "uniform")
        .Add("zeropadding N", o => o.ZeroPadding, Syntax.SmallCount(1, 100), "1")
        .Add("minscanlength N", (_, _) => { }, Only(1, "scans are of 1 to maxscanlength records"),
            "Only 1: scans are of 1 to maxscanlength records")
        .Add("maxscanlength N", o => o.LongestScan, Syntax.SmallCount(1, 100_000), "1000")
        .Add("scanlengthdistribution NAME", (_, _) => { }, Word("uniform"), "uniform; zipfian is refused")
        .Add("insertorder hashed|ordered", (o, order) => o.IsHashed = order == "hashed", AnyText, "hashed")
        .Add("hotspotdatafraction SHARE", (o, share) => o.Hotspot = o.Hotspot with { Data = share }, Share(), "0.2")
        .Add("hotspotopnfraction SHARE", (o, share) => o.Hotspot = o.Hotspot with { Operations = share }, Share(),
            "0.8")
        .Add("exponential.percentile PERCENT",
            (o, percent) => o.Exponential = o.Exponential with { Percentile = percent },
            Syntax.Number(0.001, 99.999),
            "95")
        .Add("exponential.frac SHARE", (o, share) => o.Exponential = o.Exponential with { Share = share }, Share(),
            "0.8571428571")
        .Add("core_workload_insertion_retry_limit N", o => o.Retries, Syntax.SmallCount(0, 1_000_000),
            "How often an operation is sent again on an error that may pass (0)")
        .Refuse("core_workload_insertion_retry_interval SECONDS", "the pauses between retries are fixed")
        .Add("core_workload_insertion_keep_going_on_error BOOLEAN", (_, _) => { }, Boolean(),
            "Nothing: errors are counted, and the rest is sent in any case");

    private static OptionCatalogue<YcsbProperties> Measured(OptionCatalogue<YcsbProperties> all) => all
        .Add("exporter CLASS", (o, name) => o.Exporter = name.Split('.')[^1],
            Ending("TextMeasurementsExporter", "JSONMeasurementsExporter", "JSONArrayMeasurementsExporter"),
            "TextMeasurementsExporter, or JSON or JSONArray")
        .Add("exportfile FILE", (o, file) => o.ExportFile = file, AnyText, "Measurements go to a file")
        .Add("measurementtype NAME", (_, _) => { }, Word("hdrhistogram", "histogram"),
            "hdrhistogram; histogram prints the same here; raw and timeseries are refused")
        .Add("measurement.interval op|intended|both", o => o.Interval, Word("op", "intended", "both"),
            "From the actual send, the intended one, or both (op)")
        .Add("measurement.trackjvm BOOLEAN", (_, _) => { }, Only(false, NoJava), $"Only false: {NoJava}")
        .Add("hdrhistogram.percentiles LIST", o => o.Percentiles, Percentiles(), "50,95,99")
        .Add("hdrhistogram.fileoutput BOOLEAN", o => o.WritesLogs, Boolean(),
            "An HDR log for each operation, of one interval (false)")
        .Add("hdrhistogram.output.path PREFIX", o => o.LogPath, AnyText, "What the names of those begin with")
        .Refuse("measurement.histogram.verbose BOOLEAN", "values one by one are in hdrhistogram.fileoutput")
        .Refuse("histogram.buckets N", "the histogram is HdrHistogram's")
        .Refuse("timeseries.granularity MS", Timeseries)
        .Refuse("measurement.raw.output_file FILE", Timeseries)
        .Refuse("measurement.raw.no_summary BOOLEAN", Timeseries)
        .Add("reportlatencyforeacherror BOOLEAN", (_, _) => { }, Only(false, "errors have no latency"),
            "Only false: errors have no latency")
        .Refuse("latencytrackederrors LIST", "errors have no latency");

    private static ValueSyntax<double> Share() => Syntax.Number(0, 1);

    private static ValueSyntax<string> Ending(params string[] names) => Syntax.Text("CLASS", text =>
        names.Contains(text.Split('.')[^1]) ? null : $"one of {string.Join(", ", names)} is needed");

    private static ValueSyntax<string> Only(object value, string why) => Syntax.Text("VALUE", text =>
        text.Equals(value.ToString(), StringComparison.OrdinalIgnoreCase) ? null : why);
}
