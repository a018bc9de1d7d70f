using System.Text.Json;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>In which order memtier_benchmark's clients send sets, gets and waits.</summary>
public class MemtierTurnTests : FrontEndTest
{
    // W, S, G and M3: a WAIT, a SET, a GET, an MGET of three keys; as the original's create_request has them.
    [Theory]
    [InlineData("-n 13 --ratio 1:10 --wait-ratio 1:1", "W S G G G G G G G G G G S")]
    [InlineData("-n 26 --ratio 1:10 --wait-ratio 1:1", "W S G G G G G G G G G G S W G G G G G G G G G G S G")]
    [InlineData("-n 13 --ratio 1:1 --wait-ratio 5:1", "W S G S G S G S G S G S W")]
    [InlineData("-n 12 --ratio 3:1 --wait-ratio 1:1", "W S S W S G S W S S W G")]
    [InlineData("-n 8 --ratio 2:1 --wait-ratio 1:5", "W S W S W G S W")]
    [InlineData("-n 4 --ratio 0:1 --wait-ratio 1:1", "W G G G")]
    [InlineData("-n 6 --ratio 1:10 --multi-key-get 5", "S M5 M5 S M5 M5")]
    [InlineData("-n 7 --ratio 1:7 --multi-key-get 3", "S M3 M3 M1 S M3 M3")]
    [InlineData("-n 4 --ratio 1:2 --multi-key-get 5", "S M2 S M2")]
    public async Task Requests_ComeAsTheOriginalSendsThem(string line, string expected)
    {
        var sent = await Watch(line);

        string.Join(' ', sent.Select(words => words[0] switch
        {
            "MGET" => $"M{words.Count - 1}",
            var name => name[..1],
        })).ShouldBe(expected);
    }

    [Fact]
    public async Task KeysInSequence_GoOnFromOneMgetToTheNext()
    {
        var sent = await Watch("-n 6 --ratio 0:7 --multi-key-get 3 --key-pattern S:S --key-minimum 1 --key-prefix k");

        sent.SelectMany(words => words.Skip(1)).ShouldBe(Enumerable.Range(1, 14).Select(number => $"k{number}"));
    }

    [Fact]
    public async Task TotalBytes_AreWithoutThoseOfWaits()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "2", "-n", "200", "--ratio", "1:1",
            "--wait-ratio", "1:1", "--hide-histogram", "--json-out-file", "out.json");
        (await process.End()).ShouldBe(0, process.ToString());

        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(process.Folder, "out.json")));
        var all = json.RootElement.GetProperty("ALL STATS");
        all.GetProperty("Waits").GetProperty("Count").GetInt64().ShouldBeGreaterThan(0);
        Bytes("Waits").ShouldBe(0);
        Bytes("Totals").ShouldBe(Bytes("Sets") + Bytes("Gets"));

        long Bytes(string row) => all.GetProperty(row).GetProperty("Time-Serie").EnumerateObject()
            .Sum(second => second.Value.GetProperty("Bytes TX").GetInt64()
                + second.Value.GetProperty("Bytes RX").GetInt64());
    }

    // What one client sends, in its order, as the server saw it.
    private async Task<List<IReadOnlyList<string>>> Watch(string line)
    {
        Ask("CONFIG", "SET", "slowlog-log-slower-than", "0");
        Ask("CONFIG", "SET", "slowlog-max-len", "1000");
        Ask("SLOWLOG", "RESET");
        await Run($"memtier -s 127.0.0.1 -p {{port}} -t 1 -c 1 --hide-histogram {line}", 0, 4);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return
        [
            .. connection.Execute("SLOWLOG", "GET", "1000").Items.Reverse()
                .Select(entry => (IReadOnlyList<string>)[.. entry.Items[3].Items.Select(word => word.Text)])
                .Where(words => words[0] is "SET" or "GET" or "MGET" or "WAIT"),
        ];
    }
}
