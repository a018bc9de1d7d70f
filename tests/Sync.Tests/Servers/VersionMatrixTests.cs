using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Verify;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>
/// Every source to every target: both ends are equal, or differ by what was named before the run. Servers are those
/// that tests/servers unpacks into the folder of <c>REDISLATENCY_TEST_SERVERS</c>.
/// </summary>
public class VersionMatrixTests
{
    private const int AtOnce = 3;

    private static readonly string[] Servers = ["redis-6.0", "redis-7.0", "redis-8.", "valkey-8.1", "valkey-9."];

    private static readonly string[] Since62 = Servers[1..];

    private static readonly Dictionary<string, string> Named = new()
    {
        ["HPEXPIREAT"] = "times to live of a hash's fields",
        ["VADD"] = "vector sets",
    };

    private static readonly string[][] MoreValues =
    [
        ["SET", "", "an empty name"], ["EVAL", "return redis.call('SET', '\\255\\0\\r\\n', '\\254\\0')", "0"],
        ["EVAL", "return redis.call('SET', KEYS[1], string.rep('abc', 300000))", "1", "packed"],
        ["HSET", "hash that ends", "a", "1"], ["PEXPIREAT", "hash that ends", "4000000000000"],
        ["GEOADD", "geo", "1", "1", "x", "2", "2", "y"], ["SADD", "other", "a"], ["ZADD", "few", "2", "b"],
        ["SELECT", "3"], ["SET", "of another database", "1"], ["SELECT", "0"],
        ["HSET", "fields", "a", "1", "b", "2"], ["HPEXPIREAT", "fields", "4000000000000", "FIELDS", "1", "a"],
        ["VADD", "vectors", "VALUES", "2", "1", "2", "a"],
        ["FUNCTION", "LOAD", "#!lua name=ours\nredis.register_function('ours', function() return 1 end)"],
    ];

    // What older servers do not have ends the run, or is left out by the command's name.
    private static readonly NewCommand[] NewCommands =
    [
        new(Since62, "COPY string new:copy", "missing new:copy"),
        new(Since62, "ZRANGESTORE new:range zset 0 1", "missing new:range"),
        new(Since62, "ZDIFFSTORE new:rest 2 zset few", "missing new:rest"),
        new(Since62, "LMOVE list new:list LEFT LEFT", "missing new:list", "value list"),
        new(Since62, "GEOSEARCHSTORE new:geo geo FROMLONLAT 1 1 BYRADIUS 9 km", "missing new:geo"),
        new(["valkey-9."], "GEOSEARCHSTORE new:polygon geo BYPOLYGON 3 0 0 3 0 0 3", "missing new:polygon"),
        new(["redis-8.", "valkey-9."], "HPEXPIREAT hash 4000000000000 FIELDS 1 a", "value hash", "value fields"),
        new(["redis-8."], "VADD new:vector VALUES 2 1 2 a", "missing new:vector", "missing vectors"),
    ];

    [Theory(Explicit = true)]
    [InlineData("redis-6.0")]
    [InlineData("redis-7.0")]
    [InlineData("redis-8.")]
    [InlineData("valkey-8.1")]
    [InlineData("valkey-9.")]
    public async Task Target_OfEveryVersion_IsEqual_OrLacksWhatWasNamedBefore(string from)
    {
        var programs = Servers.ToDictionary(server => server, ServerRequirement.RequireUnpacked);
        var pace = new ParallelOptions
        {
            MaxDegreeOfParallelism = AtOnce,
            CancellationToken = TestContext.Current.CancellationToken,
        };
        await Parallel.ForEachAsync(Servers, pace, async (to, _) =>
        {
            try
            {
                await Compare(from, programs[from], to, programs[to]);
            }
            catch (Exception failure)
            {
                throw new InvalidOperationException($"{from} to {to}: {failure.Message}", failure);
            }
        });
    }

    private static async Task Compare(string from, string fromProgram, string to, string toProgram)
    {
        await using var source = await RedisServerProcess.Start(fromProgram);
        await using var target = await RedisServerProcess.Start(toProgram);
        using var writer = SyncProcess.Open(source.Uri);
        using var reader = SyncProcess.Open(target.Uri);
        foreach (var command in (string[][])[.. VersionTests.Values, .. MoreValues])
            writer.Request(command);
        var keys = writer.Execute("DBSIZE").Number + 1;
        keys.ShouldBeGreaterThanOrEqualTo(24);
        var sent = NewCommands.Where(one => one.Having.Contains(from)).ToList();
        var blocked = sent.Where(one => !one.Having.Contains(to)).Select(one => one.Name).Distinct().ToList();
        var lost = sent.Where(one => blocked.Contains(one.Name)).ToList();

        string[] options = [.. to == "redis-6.0" ? ["--skip-refused-libraries"] : Array.Empty<string>()];

        await using var process = SyncProcess.Start(
            "sync", source.Uri, target.Uri,
            [.. options, .. blocked.SelectMany(name => (string[])["--block-command", name])]);
        await process.Until("the data set is there", () => KeyContents.CountIn(reader) >= keys - 2);
        var carriedOut = VersionTests.Commands.Count(command => !writer.Request(command.Split(' ')).IsError);
        foreach (var one in sent)
            writer.Execute(one.Command.Split(' '));
        writer.Execute("SET", "very last", "1");
        await process.Until("the last is there", () => reader.Execute("EXISTS", "very last").Number == 1);
        var (code, record) = await process.EndBy("TERM").End(process);

        carriedOut.ShouldBeGreaterThanOrEqualTo(60);
        var said = process.Errors.ToString();
        said.Contains("cannot take all", StringComparison.Ordinal).ShouldBe(lost.Count > 0, said);
        foreach (var name in blocked)
            said.ShouldContain(Named.GetValueOrDefault(name, name));
        var missing = record.Sync()["skips"]!.AsArray()
            .Select(skip => (Reason: skip!["reason"]!.GetValue<string>(), Key: skip["first"]!.GetValue<string>()))
            .Where(skip => !skip.Reason.Contains("as asked", StringComparison.Ordinal)
                && !skip.Reason.Contains("older target", StringComparison.Ordinal)).ToList();
        foreach (var name in missing.SelectMany(
            skip => skip.Key == "vectors" ? ["vector sets"] : skip.Reason.Split(": ")[1].Split(", ")))
        {
            said.ShouldContain(name);
        }

        code.ShouldBe(missing.Count > 0 ? 4 : 143, $"{record["verdict"]!.ToJsonString()}\n{said}");
        if (Knows(reader, "FUNCTION"))
            reader.Execute("FUNCTION", "LIST").Items.Count.ShouldBe(Knows(writer, "FUNCTION") ? 1 : 0);
        if (lost.Count == 0)
        {
            await SyncProcess.Run("sync", source.Uri, target.Uri, 0, [.. options, "--verify"]);
            return;
        }

        (await VerifyProcess.FindDifferences(source.Uri, target.Uri))
            .Select(line => string.Join(' ', line.Split(' ').Take(2)))
            .ShouldBe(lost.SelectMany(one => one.Different), ignoreOrder: true);
    }

    private static bool Knows(RedisConnection server, string command) =>
        server.Execute("COMMAND", "INFO", command).Items[0].Items.Count > 0;

    // Which servers have it, and what differs at one that does not.
    private sealed record NewCommand(string[] Having, string Command, params string[] Different)
    {
        public string Name => Command.Split(' ')[0];
    }
}
