using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The file of memtier_benchmark's --client-stats for one connection (run_stats.cpp, save_csv).</summary>
internal sealed class MemtierClients(MemtierOptions options, IReadOnlyList<string> rows, IReadOnlyList<int> rowOf)
{
    private const string Latency = "Latency (<= msec),Percent";

    private bool HasCommands => options.Commands.Count > 0;

    public void Write(IReadOnlyList<ClientRecords> threads, int run, OutputFiles files)
    {
        foreach (var (thread, records) in threads.Index())
        {
            for (var client = 0; client < records.Connections; client++)
            {
                var name = FrontEnd.Text($"{options.ClientStats}-{run}-{thread}-{client}.csv");
                var number = client;
                files.WriteText(name, file => Write(file, records, number));
            }
        }
    }

    private void Write(TextWriter file, ClientRecords records, int client)
    {
        file.WriteLine(HasCommands ? "Per-Second Benchmark Arbitrary Commands Data" : "Per-Second Benchmark Data");
        file.WriteLine("Second" + string.Concat(rows.Select(HeadOf)));
        foreach (var second in records.SecondsOf(client))
        {
            var cells = Enumerable.Range(0, rows.Count).Select(row => CellsOf(rows[row], Sum(second, row)));
            var row = FrontEnd.Text($"{second.Number},") + string.Join(',', cells);
            file.WriteLine(HasCommands ? $"{row}," : row);
        }

        foreach (var name in HasCommands ? rows : ["GET", "SET", "WAIT"])
            WriteLatencies(file, name, LatenciesOf(records, client, name));
    }

    // Waits have a count and an average only, gets what they found.
    private string HeadOf(string row) => (HasCommands, row) switch
    {
        (false, "WAIT") => ",WAIT Requests,WAIT Average Latency",
        (false, "GET") => Usual(row) + ",GET Misses,GET Hits",
        _ => Usual(row),
    };

    private static string Usual(string row) => $",{row} Requests,{row} Average Latency,{row} Total Bytes,"
        + $"{row} Total Bytes TX,{row} Total Bytes RX";

    private string CellsOf(string row, in ClientCounts sum)
    {
        var average = sum.Completed == 0 ? 0 : sum.LatencyNs / 1e9 / sum.Completed;
        var cells = FrontEnd.Text($"{sum.Completed},{average:F6}");
        if (!HasCommands && row == "WAIT")
            return cells;
        cells += FrontEnd.Text($",{sum.BytesSent + sum.BytesReceived},{sum.BytesSent},{sum.BytesReceived}");
        return !HasCommands && row == "GET" ? cells + FrontEnd.Text($",{sum.Misses},{sum.Hits}") : cells;
    }

    private ClientCounts Sum(ClientSecond second, int row)
    {
        var sum = default(ClientCounts);
        foreach (var (_, counts) in second.Operations.Index().Where(one => rowOf[one.Index] == row))
        {
            sum.Completed += counts.Completed;
            sum.LatencyNs += counts.LatencyNs;
            sum.Hits += counts.Hits;
            sum.Misses += counts.Misses;
            sum.BytesSent += counts.BytesSent;
            sum.BytesReceived += counts.BytesReceived;
        }

        return sum;
    }

    private ReportedLatencies LatenciesOf(ClientRecords records, int client, string name)
    {
        var all = new LatencyHistogram(1, 3_600_000_000, 2);
        foreach (var (operation, row) in rowOf.Index())
        {
            if (rows[row] == name)
                all.Add(records.LatenciesOf(client, operation));
        }

        return new ReportedLatencies(all, 1e3);
    }

    private static void WriteLatencies(TextWriter file, string name, ReportedLatencies values)
    {
        file.WriteLine();
        file.WriteLine($"Full-Test {name} Latency");
        file.WriteLine(Latency);
        foreach (var (percentile, milliseconds, _) in MemtierTable.StepsOf(values))
            file.WriteLine(FrontEnd.Text($"{milliseconds,8:F3},{percentile:F3}"));
    }
}
