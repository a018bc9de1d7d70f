using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>What a tool has no placeholder for is sent byte for byte.</summary>
public class SentWordsTests : FrontEndTest
{
    [Theory]
    [InlineData("__foo__")]
    [InlineData("__init__x____")]
    [InlineData("__range:9..1__")]
    [InlineData("__range:1..9__")]
    [InlineData("__data__")]
    [InlineData("__key__:__field__")]
    [InlineData("__hash____tag__")]
    [InlineData("\\x41\"é")]
    public async Task RedisBenchmark_SendsPlaceholdersOfOtherToolsAsTheyAre(string word)
    {
        await Run($"redis-benchmark -p {{port}} -n 3 -c 1 -r 1 -q set {word}:__rand_int__ {word}");

        Keys().ShouldBe([$"{word}:000000000000"]);
        Ask("GET", Keys()[0]).ShouldBe(word);
    }

    [Fact]
    public async Task Memtier_ReplacesKeysAndDataOnly()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "1", "-n", "1",
            "--key-minimum", "7", "--key-maximum", "7", "--hide-histogram", "--command",
            "MSET __rand_int__:__key__ __range:1..9__ ; __foo__:__data__ \"__hash__\" '__tag__'");
        (await process.End()).ShouldBe(0, process.ToString());

        Keys().ShouldBe([";", "__hash__", "__rand_int__:memtier-7"]);
        Ask("GET", "__rand_int__:memtier-7").ShouldBe("__range:1..9__");
        Ask("GET", ";").ShouldBe($"__foo__:{new string('x', 32)}");
        Ask("GET", "__hash__").ShouldBe("__tag__");
    }

    [Fact]
    public async Task MonitorLine_OfAnyBytes_IsSentAsItIs()
    {
        var file = Path.GetTempFileName();
        File.WriteAllText(file, """1700000000.1 [0 127.0.0.1:5] "SET" ";" "a\xff__x__" """.TrimEnd());

        await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 1 -n 1 --hide-histogram "
            + $"--monitor-input {file} --command __monitor_line1__");

        BytesOf(";").ShouldBe([.. "a"u8, 0xff, .. "__x__"u8]);
        File.Delete(file);
    }

    [Fact]
    public async Task StandardInput_IsSentByteForByte()
    {
        await using var process = ServiceProcess.StartShell(
            $"printf 'b\\377\\376\\000' | \"$PROGRAM\" load redis-benchmark -p {Port} -n 3 -c 1 -q -x set k");
        (await process.End()).ShouldBe(0, process.ToString());

        BytesOf("k").ShouldBe([(byte)'b', 0xff, 0xfe, 0]);
    }

    [Fact]
    public async Task Word_ThatIsNotUtf8_IsRefused()
    {
        await using var process = ServiceProcess.StartShell(
            $"\"$PROGRAM\" load redis-benchmark -p {Port} -n 3 -c 1 -q set k \"$(printf 'v\\377')\"");
        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("is not UTF-8");
        Calls().ShouldBeEmpty();
    }

    [Fact]
    public async Task DataOffset_ReadsTheRestOfAValue()
    {
        Ask("CONFIG", "SET", "slowlog-log-slower-than", "0");

        await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 1 -n 4 --ratio 1:1 --key-minimum 1 --key-maximum 1 "
            + "--data-offset 5 --data-size-range 100-200 --hide-histogram");

        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        var reads = connection.Execute("SLOWLOG", "GET", "-1").Items
            .Select(one => string.Join(' ', one.Items[3].Items.Select(word => word.Text)))
            .Where(line => line.StartsWith("GETRANGE", StringComparison.Ordinal));
        reads.ShouldBe(Enumerable.Repeat("GETRANGE memtier-1 5 -1", 2));
    }

    private byte[] BytesOf(string key)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return connection.Execute("GET", key).Content.ToArray();
    }
}
