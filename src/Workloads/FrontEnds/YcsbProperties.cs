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

    public static ForeignCatalogue<YcsbProperties> Catalogue { get; } =
        Measured(Workload(Binding(Client(new ForeignCatalogue<YcsbProperties>()))));

    private static ForeignCatalogue<YcsbProperties> Client(ForeignCatalogue<YcsbProperties> all) => all
        .Value("recordcount", "N", Count(), (o, count) => o.Records = count, "Records; more than 2^31, too")
        .Value("operationcount", "N", Count(), (o, count) => o.Operations = count, "Operations of a run")
        .Value("insertstart", "N", Count(), (o, first) => o.FirstInsert = first, "The first record (0)")
        .Value("insertcount", "N", Count(), (o, count) => o.Inserts = count,
            "Records of a load (recordcount), and of what a run draws (all from insertstart)")
        .Value("threadcount", "N", Syntax.SmallCount(1, 100_000), (o, count) => o.Threads = count, "As -threads (1)")
        .Value("target", "N", Syntax.Rate(100_000_000, "operations per second"), (o, rate) => o.Rate = rate,
            "As -target (0)")
        .Value("maxexecutiontime", "SECONDS", Syntax.SmallCount(0, int.MaxValue), (o, time) => o.MaximumSeconds = time,
            "The longest a load or run takes (0: no limit)")
        .Value("dotransactions", "BOOLEAN", Boolean(), (o, runs) => o.IsLoad = !runs, "false loads (by the command)")
        .Value("status", "BOOLEAN", Boolean(), (o, shows) => o.ShowsStatus = shows, "As -s (false)")
        .Value("status.interval", "SECONDS", Syntax.SmallCount(1, 86_400), (o, time) => o.StatusSeconds = time,
            "Seconds between two lines of status (10)")
        .Text("label", "TEXT", (o, label) => o.Label = label, "As -l")
        .Value("workload", "CLASS", Ending("CoreWorkload"), (_, _) => { }, "CoreWorkload, of any package")
        .Text("db", "CLASS", (_, _) => { }, "Nothing: the database is Redis")
        .Value("spin.sleep", "BOOLEAN", Boolean(), (_, _) => { }, "Nothing: the last microseconds are spun in any case")
        .Refused("htrace.spanReceiver", "CLASS", "traces are not written");

    private static ForeignCatalogue<YcsbProperties> Binding(ForeignCatalogue<YcsbProperties> all) => all
        .Text("redis.host", "HOST", (o, host) => o.Target.Host = host, "The server; needed")
        .Value("redis.port", "PORT", Syntax.SmallCount(1, 65_535), (o, port) => o.Target.Port = port, "6379")
        .Text("redis.password", "PASSWORD", (o, password) => o.Target.Password = password,
            "In a cluster, too; better in the variable REDISCLI_AUTH")
        .Value("redis.cluster", "BOOLEAN", Boolean(), (o, isCluster) => o.IsCluster = isCluster,
            "Each key goes to the node that has its slot (false); there without _indices, so without scans of hashes")
        .Value("redis.timeout", "MS", Syntax.SmallCount(1, int.MaxValue),
            (o, time) => o.Target.Options.CommandTimeout = TimeSpan.FromMilliseconds(time),
            "The longest wait for a reply (2000)")
        .Value("redis.command_group", "string|hash", Word("string", "hash"),
            (o, group) => o.IsOfStrings = group == "string",
            "Tair's binding: string writes and reads records by SET and GET (hash)")
        .Text("table", "NAME", (_, _) => { }, "Nothing, as in the original's Redis binding");

    private static ForeignCatalogue<YcsbProperties> Workload(ForeignCatalogue<YcsbProperties> all) => all
        .Value("fieldcount", "N", Syntax.SmallCount(1, 10_000), (o, count) => o.Fields = count, "Fields of a hash (10)")
        .Text("fieldnameprefix", "TEXT", (o, prefix) => o.FieldPrefix = prefix, "field")
        .Value("fieldlength", "BYTES", Syntax.SmallCount(1, 512 << 20), (o, size) => o.FieldLength = size, "100")
        .Value("minfieldlength", "BYTES", Syntax.SmallCount(1, 512 << 20), (o, size) => o.LeastFieldLength = size, "1")
        .Value("fieldlengthdistribution", "NAME", Word("constant", "uniform", "zipfian", "histogram"),
            (o, name) => o.FieldLengths = name, "constant")
        .Text("fieldlengthhistogram", "FILE", (o, file) => o.LengthFile = file, "hist.txt")
        .Value("readallfields", "BOOLEAN", Boolean(), (o, all) => o.ReadsAllFields = all, "HGETALL or HMGET (true)")
        .Value("readallfieldsbyname", "BOOLEAN", Only(false, "all fields are read by HGETALL"), (_, _) => { },
            "Only false: all fields are read by HGETALL")
        .Value("writeallfields", "BOOLEAN", Boolean(), (o, all) => o.WritesAllFields = all, "false")
        .Value("dataintegrity", "BOOLEAN", Only(false, "what is read is compared by run --verify"), (_, _) => { },
            "Only false: what is read is compared by run --verify")
        .Value("readproportion", "SHARE", Share(), (o, share) => o.Reads = share, "0.95")
        .Value("updateproportion", "SHARE", Share(), (o, share) => o.Updates = share, "0.05")
        .Value("insertproportion", "SHARE", Share(), (o, share) => o.InsertShare = share, "0")
        .Value("scanproportion", "SHARE", Share(), (o, share) => o.Scans = share, "0")
        .Value("readmodifywriteproportion", "SHARE", Share(), (o, share) => o.ReadModifyWrites = share, "0")
        .Value("requestdistribution", "NAME",
            Word("uniform", "zipfian", "latest", "hotspot", "exponential", "sequential"),
            (o, name) => o.Distribution = name, "uniform")
        .Value("zeropadding", "N", Syntax.SmallCount(1, 100), (o, digits) => o.ZeroPadding = digits, "1")
        .Value("minscanlength", "N", Only(1, "scans are of 1 to maxscanlength records"), (_, _) => { },
            "Only 1: scans are of 1 to maxscanlength records")
        .Value("maxscanlength", "N", Syntax.SmallCount(1, 100_000), (o, most) => o.LongestScan = most, "1000")
        .Value("scanlengthdistribution", "NAME", Word("uniform"), (_, _) => { }, "uniform; zipfian is refused")
        .Text("insertorder", "hashed|ordered", (o, order) => o.IsHashed = order == "hashed", "hashed")
        .Value("hotspotdatafraction", "SHARE", Share(),
            (o, share) => o.Hotspot = o.Hotspot with { Data = share }, "0.2")
        .Value("hotspotopnfraction", "SHARE", Share(),
            (o, share) => o.Hotspot = o.Hotspot with { Operations = share }, "0.8")
        .Value("exponential.percentile", "PERCENT", Syntax.Number(0.001, 99.999),
            (o, percent) => o.Exponential = o.Exponential with { Percentile = percent }, "95")
        .Value("exponential.frac", "SHARE", Share(),
            (o, share) => o.Exponential = o.Exponential with { Share = share }, "0.8571428571")
        .Value("core_workload_insertion_retry_limit", "N", Syntax.SmallCount(0, 1_000_000),
            (o, limit) => o.Retries = limit, "How often an operation is sent again on an error that may pass (0)")
        .Refused("core_workload_insertion_retry_interval", "SECONDS", "the pauses between retries are fixed")
        .Value("core_workload_insertion_keep_going_on_error", "BOOLEAN", Boolean(), (_, _) => { },
            "Nothing: errors are counted, and the rest is sent in any case");

    private static ForeignCatalogue<YcsbProperties> Measured(ForeignCatalogue<YcsbProperties> all) => all
        .Value("exporter", "CLASS",
            Ending("TextMeasurementsExporter", "JSONMeasurementsExporter", "JSONArrayMeasurementsExporter"),
            (o, name) => o.Exporter = name.Split('.')[^1], "TextMeasurementsExporter, or JSON or JSONArray")
        .Text("exportfile", "FILE", (o, file) => o.ExportFile = file, "Measurements go to a file")
        .Value("measurementtype", "NAME", Word("hdrhistogram", "histogram"), (_, _) => { },
            "hdrhistogram; histogram prints the same here; raw and timeseries are refused")
        .Value("measurement.interval", "op|intended|both", Word("op", "intended", "both"),
            (o, interval) => o.Interval = interval, "From the actual send, the intended one, or both (op)")
        .Value("measurement.trackjvm", "BOOLEAN", Only(false, NoJava), (_, _) => { }, $"Only false: {NoJava}")
        .Value("hdrhistogram.percentiles", "LIST", ForeignValues.Percentiles(),
            (o, list) => o.Percentiles = list, "50,95,99")
        .Value("hdrhistogram.fileoutput", "BOOLEAN", Boolean(), (o, writes) => o.WritesLogs = writes,
            "An HDR log for each operation, of one interval (false)")
        .Text("hdrhistogram.output.path", "PREFIX", (o, path) => o.LogPath = path, "What the names of those begin with")
        .Refused("measurement.histogram.verbose", "BOOLEAN", "values one by one are in hdrhistogram.fileoutput")
        .Refused("histogram.buckets", "N", "the histogram is HdrHistogram's")
        .Refused("timeseries.granularity", "MS", Timeseries)
        .Refused("measurement.raw.output_file", "FILE", Timeseries)
        .Refused("measurement.raw.no_summary", "BOOLEAN", Timeseries)
        .Value("reportlatencyforeacherror", "BOOLEAN", Only(false, "errors have no latency"), (_, _) => { },
            "Only false: errors have no latency")
        .Refused("latencytrackederrors", "LIST", "errors have no latency");

    private static ValueSyntax<double> Share() => Syntax.Number(0, 1);

    private static ValueSyntax<string> Ending(params string[] names) => Syntax.Text("CLASS", text =>
        names.Contains(text.Split('.')[^1]) ? null : $"one of {string.Join(", ", names)} is needed");

    private static ValueSyntax<string> Only(object value, string why) => Syntax.Text("VALUE", text =>
        text.Equals(value.ToString(), StringComparison.OrdinalIgnoreCase) ? null : why);
}
