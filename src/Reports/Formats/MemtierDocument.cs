using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// A workload's result as memtier_benchmark writes it with <c>--json-out-file</c>, for scripts that read that: the same
/// members, null where there is nothing to say.
/// </summary>
public sealed class MemtierDocument
{
    // Of print_json_config in memtier_benchmark.cpp (2026-05).
    private static readonly string[] Configuration =
    [
        "server", "port", "uri", "unix socket", "address family", "protocol", "out_file", "tls", "cert", "key",
        "cacert", "tls_skip_verify", "sni", "client_stats", "run_count", "debug", "requests", "rate_limit", "clients",
        "threads", "test_time", "ratio", "pipeline", "data_size", "data_offset", "random_data", "data_size_range",
        "data_size_list", "data_size_pattern", "expiry_range", "data_import", "data_verify", "verify_only",
        "generate_keys", "key_prefix", "key_minimum", "key_maximum", "key_pattern", "key_stddev", "key_median",
        "key_zipf_exp", "reconnect_interval", "connection_timeout", "thread_conn_start_min_jitter_micros",
        "thread_conn_start_max_jitter_micros", "multi_key_get", "authenticate", "select-db", "no-expiry",
        "wait-ratio", "num-slaves", "wait-timeout", "print-all-runs",
    ];

    private readonly Utf8JsonWriter _json;
    private readonly RunRecord _record;

    private MemtierDocument(Utf8JsonWriter json, RunRecord record) => (_json, _record) = (json, record);

    /// <exception cref="ExportException">It is of no workload.</exception>
    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public static void Write(TextWriter writer, SavedRun run)
    {
        var phases = ExportedPhase.In(run);
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(
            buffer, new JsonWriterOptions { Indented = true, Encoder = JsonOutput.Encoder, NewLine = "\n" }))
            new MemtierDocument(json, phases[^1].Record).Write(phases);
        foreach (var line in Encoding.UTF8.GetString(buffer.WrittenSpan).Split('\n'))
            writer.WriteLine(line);
    }

    private void Write(IReadOnlyList<ExportedPhase> phases)
    {
        _json.WriteStartObject();
        WriteConfiguration(phases[^1]);
        WriteRunInformation(phases[^1]);
        foreach (var phase in phases)
        {
            _json.WriteStartObject(phases.Count == 1 ? "ALL STATS" : $"{phase.Summary.Name} RESULTS");
            WriteRuntime(phase);
            var rows = new MemtierRows(_json, phase);
            foreach (var (name, operation) in RowsOf(phase.Workload))
                rows.WriteRow($"{name}s", operation);
            rows.WriteRow("Totals", null);
            foreach (var (name, operation) in RowsOf(phase.Workload))
                rows.WriteDistribution(name.ToUpperInvariant(), operation);
            _json.WriteEndObject();
        }

        _json.WriteEndObject();
    }

    // Sets and Gets, as by their commands; operations of one command by their own names.
    private static IEnumerable<(string Name, OperationResult Operation)> RowsOf(WorkloadResult workload) =>
        from operation in workload.Operations
        let command = operation.Command.Split(' ')[0]
        let isAlone = workload.Operations.Count(other => other.Command.Split(' ')[0] == command) == 1
        let name = isAlone && command.Length > 0 ? command : operation.Name
        select ($"{char.ToUpperInvariant(name[0])}{name[1..].ToLowerInvariant()}", operation);

    private void WriteConfiguration(ExportedPhase phase)
    {
        var engine = phase.Workload.Engine;
        var endpoint = _record.Targets is [var target, ..] ? target.Endpoint : null;
        var (server, port) = endpoint?.LastIndexOf(':') is > 0 and var colon
            && int.TryParse(endpoint[(colon + 1)..], CultureInfo.InvariantCulture, out var number)
            ? (endpoint[..colon], (int?)number) : (endpoint, null);
        _json.WriteStartObject("configuration");
        foreach (var name in Configuration)
        {
            switch (name)
            {
                case "server": _json.WriteString(name, server); break;
                case "port": Number(name, port); break;
                case "protocol": _json.WriteString(name, "redis"); break;
                case "run_count": _json.WriteNumber(name, 1); break;
                case "clients": Number(name, engine?.ConnectionsPerThread); break;
                case "threads": Number(name, engine?.Threads); break;
                case "pipeline": Number(name, engine?.Pipeline); break;
                default: _json.WriteNull(name); break;
            }
        }

        _json.WriteEndObject();
    }

    private void WriteRunInformation(ExportedPhase phase)
    {
        _json.WriteStartObject("run information");
        Number("Threads", phase.Workload.Engine?.Threads);
        Number("Connections per thread", phase.Workload.Engine?.ConnectionsPerThread);
        Number("Seconds", phase.Summary.DurationNs is { } lasted ? (long)Math.Round(lasted / 1e9) : null);
        _json.WriteNumber("Format version", 2);
        _json.WriteEndObject();
    }

    private void WriteRuntime(ExportedPhase phase)
    {
        var milliseconds = phase.Summary.DurationNs / 1_000_000;
        var start = phase.Start?.ToUnixTimeMilliseconds();
        _json.WriteStartObject("Runtime");
        Number("Start time", start);
        Number("Finish time", start + milliseconds);
        Number("Total duration", milliseconds);
        _json.WriteString("Time unit", "MILLISECONDS");
        _json.WriteString("Interrupted", _record.Partial ? "true" : "false");
        _json.WriteEndObject();
    }

    private void Number(string name, long? value)
    {
        if (value is { } known)
            _json.WriteNumber(name, known);
        else
            _json.WriteNull(name);
    }
}
