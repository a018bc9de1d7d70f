using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>Small files as other tools write them, and what is imported of a file.</summary>
internal static class ImportedSamples
{
    public const string BenchmarkCsv = "\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\","
        + "\"p95_latency_ms\",\"p99_latency_ms\",\"max_latency_ms\"\n" + """
        "SET","94339.62","0.272","0.144","0.271","0.327","0.375","0.495"
        "LRANGE_100 (first 100, of many)","71428.57","0.361","0.160","0.351","0.455","0.535","3000.319"

        """;

    public const string Benchmark = """
        ====== GET ======
          2000 requests completed in 0.25 seconds
          50 parallel clients
          3 bytes payload
          keep alive: 1
          multi-thread: yes
          threads: 2

        Latency by percentile distribution:
        0.000% <= 0.079 milliseconds (cumulative count 8)
        50.000% <= 0.191 milliseconds (cumulative count 1014)
        75.000% <= 0.487 milliseconds (cumulative count 1505)
        87.500% <= 0.799 milliseconds (cumulative count 1820)
        93.750% <= 0.943 milliseconds (cumulative count 1876)
        98.438% <= 2.823 milliseconds (cumulative count 1985)
        100.000% <= 6.559 milliseconds (cumulative count 2000)
        100.000% <= 6.559 milliseconds (cumulative count 2000)

        Cumulative distribution of latencies:
        0.500% <= 0.103 milliseconds (cumulative count 10)
        100.000% <= 7.103 milliseconds (cumulative count 2000)

        Summary:
          throughput summary: 8000.00 requests per second
          latency summary (msec):
                  avg       min       p50       p95       p99       max
                0.408     0.072     0.191     1.047     2.823     6.559

        """;

    public const string Ycsb = """
        [OVERALL], RunTime(ms), 495
        [OVERALL], Throughput(ops/sec), 40404.0404040404
        [TOTAL_GCs], Count, 1
        [CLEANUP], Operations, 4
        [CLEANUP], 99thPercentileLatency(us), 816
        [READ], Operations, 10029
        [READ], AverageLatency(us), 78.80835576827201
        [READ], MinLatency(us), 17
        [READ], MaxLatency(us), 6135
        [READ], 50thPercentileLatency(us), 49
        [READ], 99thPercentileLatency(us), 353
        [READ], 99.9PercentileLatency(us), 3819
        [READ], Return=OK, 10029

        """;

    public const string Hgrm = """
               Value     Percentile TotalCount 1/(1-Percentile)

               1.000 0.000000000000         10           1.00
               2.000 0.500000000000        600           2.00
               3.500 0.750000000000        800           4.00
               3.500 0.875000000000        995           8.00
               9.000 0.990625000000        999         106.67
              12.000 1.000000000000       1000
        #[Mean    =        2.250, StdDeviation   =        1.100]
        #[Max     =       12.000, Total count    =         1000]

        """;

    public const string RedisShake = """
        {"start_time":"2026-11-21 09:09:27","total_entries_count":{"read_count":5,"read_ops":0,"write_count":4,
        "write_ops":1.5},"per_cmd_entries_count":{"SET":{"read_count":3,"write_count":3},
        "DEL":{"read_count":2,"write_count":1}},"reader":{"address":"10.0.0.5:6379","aof_sent_offset":219}}
        """;

    /// <summary>memtier's JSON of two operations, whose histograms step by 8 µs.</summary>
    public static string Memtier()
    {
        var (sets, gets) = (Steps(), Steps());
        for (var i = 0; i < 2_000; i++)
            sets.Record(20 + (i % 100));
        for (var i = 0; i < 1_000; i++)
            gets.Record(200 + i);
        var totals = sets.Copy();
        totals.Add(gets);
        return $$"""
            {"configuration":{"server":"127.0.0.1","port":6395,"uri":"redis://me:hunter2@host:1","tls":"false",
            "authenticate":"hunter2","clients":5,"threads":2,"pipeline":1,"rate_limit":0,"key_minimum":           0},
            "run information":{"Threads":2,"Connections per thread":5,"Requests per client":300,"Format version":2},
            "ALL STATS":{"Runtime":{"Start time":1795252123613,"Finish time":1795252125613,"Total duration":2000,
            "Time unit":"MILLISECONDS","Interrupted":"false"},
            "Sets":{{Row(sets, 1000)}},"Gets":{{Row(gets, 500)}},"Waits":{{Row(Steps(), 0)}},
            "Totals":{{Row(totals, 1500)}},
            "GET":[{"<=msec":0.207,"percent":0.000}]} }
            """;
    }

    /// <summary>A log of values that are longer by so many microseconds.</summary>
    public static string MemtierLog(int shift = 0)
    {
        var values = Steps();
        for (var i = 0; i < 100; i++)
            values.Record(20 + i + shift);
        return $"""
            #[SET command HDR latency histogram results]
            #[Histogram log format version 1.2]
            #[StartTime: 1795252123.614 (seconds since epoch), Sat Nov 09:08:43 GMT 2026]
            "StartTimestamp","EndTimestamp","Interval_Max","Interval_Compressed_Histogram"
            1795252123.614,1795252125.850,119.0,{Encoded(values)}

            """;
    }

    public static string YcsbLog(string heading = "#[Logging for: READ]\n")
    {
        var writer = new MemoryStream();
        var log = new IntervalLogWriter(writer, DateTimeOffset.FromUnixTimeSeconds(1_795_252_123), "x");
        var values = LatencyHistogram.ForLatency();
        values.Record(80, 100);
        log.Write(null, DateTimeOffset.FromUnixTimeSeconds(1_795_252_124), TimeSpan.FromSeconds(1), values);
        var text = System.Text.Encoding.ASCII.GetString(writer.ToArray());
        return heading + text[(text.IndexOf('\n') + 1)..];
    }

    public static (RunRecord Record, string Folder) Import(
        ScratchFolder scratch, string text, ImportUnit unit = ImportUnit.Stated, string series = "service")
    {
        var file = scratch.Combine("given.txt");
        File.WriteAllText(file, text);
        return ImportFile(scratch, file, unit, series);
    }

    public static (RunRecord Record, string Folder) ImportFile(
        ScratchFolder scratch, string file, ImportUnit unit = ImportUnit.Stated, string series = "service")
    {
        var import = new RunImport(file, new ImportQuestions(unit, series));
        var folder = import.WriteTo(scratch.Combine("out"), "old", "imported", null, "0.1.0");
        return (RunRecordReader.Read(folder), folder);
    }

    /// <summary>A captured output of the original, or a skipped test where there is no reference.</summary>
    public static string Captured(string name)
    {
        var path = RepositoryRoot.Shared("reference", "outputs", name);
        Assert.SkipWhen(path is null, "There is no shared reference beside the checkout.");
        return path!;
    }

    private static LatencyHistogram Steps() => new(10, 600_000_000, 2);

    private static string Encoded(LatencyHistogram values) =>
        Convert.ToBase64String(new HistogramEncoder().EncodeCompressed(values));

    private static string Row(LatencyHistogram values, double rate) => FormattableString.Invariant($$$"""
        {"Count":{{{values.TotalCount}}},"Ops/sec":{{{rate:F2}}},"Hits/sec":{{{rate / 4:F2}}},
        "Misses/sec":{{{rate / 4:F2}}},
        "Connection Errors":0,"Average Latency":{{{values.Mean / 1e3:F3}}},"Accumulated Latency":1077,
        "Min Latency":{{{values.Min / 1e3:F3}}},"Max Latency":{{{values.Max / 1e3:F3}}},
        "Percentile Latencies":{"p50.00":{{{values.ValueAtPercentile(50) / 1e3:F3}}},"p99.00":9.999,
        "Histogram log format":{"Compressed Histogram":"{{{Encoded(values)}}}"} } }
        """);
}
