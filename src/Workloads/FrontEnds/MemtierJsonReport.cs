using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The file of memtier_benchmark's --json-out-file, its texts escaped and its password left out.</summary>
internal sealed class MemtierJsonReport : IDisposable
{
    private readonly MemtierOptions _options;
    private readonly MemtierTable _table;
    private readonly Stream _file;
    private readonly Utf8JsonWriter _json;

    public MemtierJsonReport(MemtierOptions options, MemtierTable table, Stream file)
    {
        (_options, _table, _file) = (options, table, file);
        _json = new Utf8JsonWriter(file, new JsonWriterOptions
        {
            Indented = true,
            IndentCharacter = '\t',
            IndentSize = 1,
            NewLine = "\n",
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        });
        _json.WriteStartObject();
        WriteConfiguration();
        _json.WriteStartObject("run information");
        _json.WriteNumber("Threads", options.Threads);
        _json.WriteNumber("Connections per thread", options.Clients);
        if (options.TestSeconds is { } seconds)
            _json.WriteNumber("Seconds", seconds);
        else
            _json.WriteNumber("Requests per client", Memtier.RequestsOf(options));
        _json.WriteNumber("Format version", 2);
        _json.WriteEndObject();
    }

    public void Write(string heading, IReadOnlyList<MemtierRun> runs)
    {
        _json.WriteStartObject(heading);
        _json.WriteStartObject("Runtime");
        var start = (long)runs.Average(run => run.StartedAt.ToUnixTimeMilliseconds());
        var length = (long)Math.Round(runs.Average(run => run.Seconds) * 1000);
        _json.WriteNumber("Start time", start);
        _json.WriteNumber("Finish time", start + length);
        _json.WriteNumber("Total duration", length);
        _json.WriteString("Time unit", "MILLISECONDS");
        _json.WriteString("Interrupted", Flag(runs.Any(run => run.IsInterrupted)));
        _json.WriteEndObject();
        for (var place = 0; place <= runs[0].Rows.Count; place++)
            WriteRow(runs, place);
        if (!_options.HidesHistogram)
        {
            foreach (var (place, row) in runs[0].Rows.Index())
                WriteDistribution(row.Name, MemtierTable.RowsAt(runs, place).Select(one => one.Row.Latencies));
        }

        _json.WriteEndObject();
    }

    public void Dispose()
    {
        _json.WriteEndObject();
        _json.Dispose();
        _file.Dispose();
    }

    private void WriteRow(IReadOnlyList<MemtierRun> runs, int place)
    {
        var rows = MemtierTable.RowsAt(runs, place);
        var values = _table.LatenciesOf(rows.Select(row => row.Row.Latencies));
        var errors = place == runs[0].Rows.Count ? runs.Sum(run => run.ConnectionErrors) : 0;
        _json.WriteStartObject(rows[0].Row.Title);
        _json.WriteNumber("Count", (long)rows.Average(row => row.Row.Count));
        Rate("Ops/sec", row => row.Count);
        Rate("Hits/sec", row => row.Hits);
        Rate("Misses/sec", row => row.Misses);
        if (_options.IsCluster)
        {
            Rate("MOVED/sec", row => row.Moved);
            Rate("ASK/sec", row => row.Ask);
        }

        Number("Connection Errors/sec", errors / runs.Sum(run => run.Seconds), 2);
        _json.WriteNumber("Connection Errors", errors);
        Number("Latency", values.Mean, 3);
        Number("Average Latency", values.Mean, 3);
        Number("Accumulated Latency", AccumulatedOf(values), 0);
        Number("Min Latency", values.Min, 3);
        Number("Max Latency", values.Max, 3);
        Rate("KB/sec", row => row.Bytes / 1024.0);
        Rate("KB/sec RX/TX", row => row.Bytes / 1024.0);
        Rate("KB/sec RX", row => row.BytesReceived / 1024.0);
        Rate("KB/sec TX", row => row.BytesSent / 1024.0);
        _json.WriteStartObject("Time-Serie");
        foreach (var second in rows.SelectMany(row => row.Row.Seconds).GroupBy(second => second.Second))
            WriteSecond(second);
        _json.WriteEndObject();
        _json.WriteStartObject("Percentile Latencies");
        foreach (var percentile in _options.Percentiles)
            Number(Key(percentile), values.At(percentile), 3);
        _json.WriteStartObject("Histogram log format");
        _json.WriteString("Compressed Histogram", Encoded(values));
        _json.WriteEndObject();
        _json.WriteEndObject();
        _json.WriteEndObject();

        void Rate(string name, Func<MemtierRow, double> of) =>
            Number(name, rows.Average(row => of(row.Row) / row.Seconds), 2);
    }

    private void WriteSecond(IGrouping<int, MemtierSecond> parts)
    {
        var values = _table.LatenciesOf(parts.Select(part => part.Latencies));
        _json.WriteStartObject(parts.Key.ToString(CultureInfo.InvariantCulture));
        _json.WriteNumber("Bytes RX", parts.Sum(part => part.BytesReceived));
        _json.WriteNumber("Bytes TX", parts.Sum(part => part.BytesSent));
        _json.WriteNumber("Count", values.Histogram.TotalCount);
        if (values.Histogram.TotalCount > 0)
        {
            Number("Average Latency", values.Mean, 3);
            Number("Accumulated Latency", AccumulatedOf(values), 0);
            Number("Min Latency", values.Min, 3);
            Number("Max Latency", values.Max, 3);
            foreach (var percentile in _options.Percentiles)
                Number(Key(percentile), values.At(percentile), 3);
        }

        _json.WriteEndObject();
    }

    private void WriteDistribution(string name, IEnumerable<LatencyHistogram> parts)
    {
        _json.WriteStartArray(name);
        foreach (var (percentile, milliseconds, _) in MemtierTable.StepsOf(_table.LatenciesOf(parts)))
        {
            _json.WriteStartObject();
            Number("<=msec", milliseconds, 3);
            Number("percent", percentile, 3);
            _json.WriteEndObject();
        }

        _json.WriteEndArray();
    }

    private void WriteConfiguration()
    {
        var o = _options;
        var target = o.Target;
        var tls = target.Options;
        _json.WriteStartObject("configuration");
        Text(("server", target.Host));
        _json.WriteNumber("port", target.Port);
        Text(("uri", target.UriWithoutPassword), ("unix socket", target.Socket),
            ("address family", "Unspecified"), ("protocol", o.Protocol), ("out_file", o.OutFile),
            ("tls", Flag(target.IsTls)), ("cert", tls.TlsCertificate), ("key", tls.TlsKey),
            ("cacert", tls.TlsAuthorities), ("tls_skip_verify", Flag(tls.TlsInsecure)), ("sni", tls.TlsServerName),
            ("client_stats", null));
        Numbers(("run_count", o.RunCount), ("debug", o.IsDebug ? 1 : 0),
            ("requests", o.TestSeconds is null ? Memtier.RequestsOf(o) : 0), ("rate_limit", o.RateLimit),
            ("clients", o.Clients), ("threads", o.Threads), ("test_time", o.TestSeconds ?? 0));
        Text(("ratio", $"{o.Ratio.Sets}:{o.Ratio.Gets}"));
        Numbers(("pipeline", o.Pipeline), ("data_size", o.DataSize), ("data_offset", o.DataOffset));
        Text(("random_data", Flag(o.HasRandomData)), ("data_size_range", Pair(o.DataRange ?? (0, 0))),
            ("data_size_list", o.DataList ?? string.Empty), ("data_size_pattern", o.IsSizedByKey ? "S" : "R"),
            ("expiry_range", Pair(o.Expiry ?? (0, 0))), ("data_import", null), ("data_verify", Flag(false)),
            ("verify_only", Flag(false)), ("generate_keys", Flag(false)), ("key_prefix", o.KeyPrefix));
        Numbers(("key_minimum", o.KeyMinimum), ("key_maximum", o.KeyMaximum));
        Text(("key_pattern", o.KeyPattern));
        Number("key_stddev", o.KeyDeviation, 6);
        Number("key_median", o.KeyMedian, 6);
        Number("key_zipf_exp", o.KeyPattern.Contains('Z', StringComparison.Ordinal) ? o.ZipfExponent : 0, 6);
        Numbers(("reconnect_interval", o.ReconnectInterval),
            ("connection_timeout", o.ConnectionTimeout),
            ("thread_conn_start_min_jitter_micros", 0), ("thread_conn_start_max_jitter_micros", 0),
            ("multi_key_get", o.MultiKeyGet));
        Text(("authenticate", target.Password is null ? string.Empty : "***"));
        Numbers(("select-db", target.Database ?? 0));
        Text(("no-expiry", Flag(false)), ("wait-ratio", o.WaitRatio.Waits == 0 ? "0:0"
                : $"{o.WaitRatio.Sets}:{o.WaitRatio.Waits}"), ("num-slaves", Pair(o.Replicas)),
            ("wait-timeout", $"{o.WaitTimeout.Least}-{o.WaitTimeout.Most}"),
            ("print-all-runs", Flag(o.PrintsAllRuns)));
        _json.WriteEndObject();
    }

    // With all its digits: p99.999 is not p99.99, which six characters would make of both.
    private static string Key(double percentile) => percentile.ToString("'p'0.00###", CultureInfo.InvariantCulture);

    /// <summary>In microseconds, as importers expect it.</summary>
    internal static string Encoded(ReportedLatencies values)
    {
        var micro = new LatencyHistogram(1, 3_600_000_000, 3);
        foreach (var recorded in values.AtLeast.Histogram.RecordedValues)
            micro.Record((long)(recorded.Median / values.PerMillisecond * 1000), recorded.Count);
        return Convert.ToBase64String(new HistogramEncoder().EncodeCompressed(micro));
    }

    private static string Pair((int Least, int Most) pair) => $"{pair.Least}:{pair.Most}";

    private static string Flag(bool value) => value ? "true" : "false";

    private void Text(params ReadOnlySpan<(string Name, string? Value)> texts)
    {
        foreach (var (name, value) in texts)
            _json.WriteString(name, value);
    }

    private void Numbers(params ReadOnlySpan<(string Name, long Value)> numbers)
    {
        foreach (var (name, value) in numbers)
            _json.WriteNumber(name, value);
    }

    private static double? AccumulatedOf(ReportedLatencies values) =>
        values.Mean is { } mean ? Math.Truncate(mean * values.Histogram.TotalCount) : null;

    private void Number(string name, double? value, int decimals)
    {
        _json.WritePropertyName(name);
        if (value is { } known && double.IsFinite(known))
            _json.WriteRawValue(known.ToString($"F{decimals}", CultureInfo.InvariantCulture));
        else
            _json.WriteNullValue();
    }
}
