using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.ReplicatorDelayTest;

/// <summary>A dozen lines of Python play the original at the other end.</summary>
public class OriginalProtocolTests
{
    private const int Keys = 200;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Get_FromTheOriginalWriter_ReadsEveryKeyAndFindsTheDelay(int first)
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(50)));
        await using var reader = Start(pair.Replica, "get");
        await reader.Errors.WaitFor("start the side that sets them");

        await Python(pair.Primary, first, "set");
        (await reader.End()).ShouldBe(0, reader.ToString());

        var text = reader.Output.ToString();
        text.ShouldContain("error: unknown");
        text.ShouldContain($"read={Keys} missing=0");
        // One host, one wall clock; the stamp is cut to whole milliseconds.
        Figure(text, "average_ms").ShouldBeInRange(50, 500);
        Figure(text, "p95_ms").ShouldBeInRange(50, Figure(text, "p99_ms"));
        text.ShouldContain($"Average latency (milliseconds): {Word(text, "average_ms")}");
    }

    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    public async Task Set_ForTheOriginalReader_IsReadByIt(string first)
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(20)));
        var reading = Python(pair.Replica, int.Parse(first, CultureInfo.InvariantCulture), "get");
        await using var writer = Start(pair.Primary, "set", "--first-key", first, "--rate", "500");

        (await writer.End()).ShouldBe(0, writer.ToString());

        writer.Output.ToString().ShouldContain($"written={Keys} refused=0");
        (await reading).ShouldContain($"read {Keys}, average");
    }

    [Fact]
    public async Task Get_WhereAnEarlierTestLeftItsKeys_CountsNewOnesOnly()
    {
        await using var pair = await ReplicatedPair.Start();
        await Python(pair.Primary, 0, "set");
        await Eventually.Is("they are replicated", () => ReplicatedPair.Execute(pair.Replica, "DBSIZE") == $"{Keys}");
        await using var reader = Start(pair.Replica, "get");
        await reader.Errors.WaitFor("start the side that sets them");

        await using var writer = Start(pair.Primary, "set");
        (await writer.End()).ShouldBe(0, writer.ToString());
        (await reader.End()).ShouldBe(0, reader.ToString());

        var text = reader.Output.ToString();
        text.ShouldContain($"{Keys} keys had a value from before");
        text.ShouldContain($"read={Keys} missing=0");
        ReplicatedPair.Execute(pair.Primary, "DBSIZE").ShouldBe(Keys.ToString(CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task Get_OfFewerKeysThanWanted_CountsTheMissing()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = ServiceProcess.Start(
            "Replication", "delay", "127.0.0.1", PortOf(pair.Replica), "-", "300", "get", "--deadline", "3s");
        await reader.Errors.WaitFor("start the side that sets them");

        await Python(pair.Primary, 0, "set");
        (await reader.End()).ShouldBe(4, reader.ToString());

        reader.Output.ToString().ShouldContain($"read={Keys} missing={300 - Keys}");
    }

    [Fact]
    public async Task Get_ThatIsInterrupted_ReportsWhatItReadAndThatItIsPartial()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = ServiceProcess.Start(
            "Replication", "delay", "127.0.0.1", $"{pair.Replica.Port}", "-", $"{2 * Keys}", "get");
        await reader.Errors.WaitFor("start the side that sets them");
        await Python(pair.Primary, 0, "set");
        await Eventually.Is("they are replicated", () => ReplicatedPair.Execute(pair.Replica, "DBSIZE") == $"{Keys}");

        (await reader.EndBy("INT")).ShouldNotBe(0, reader.ToString());

        var text = reader.Output.ToString();
        var read = int.Parse(Word(text, "read"), CultureInfo.InvariantCulture);
        text.ShouldContain($"partial: {(2 * Keys) - read} keys are unread, because reading ended early");
        text.ShouldContain($"read={read} missing=0 unread={(2 * Keys) - read} ");
    }

    [Fact]
    public async Task Get_StartedAfterTheWriter_ReadsWhatComesFromThenOn()
    {
        await using var pair = await ReplicatedPair.Start();
        await Python(pair.Primary, 0, "set");
        await Eventually.Is("they are replicated", () => ReplicatedPair.Execute(pair.Replica, "DBSIZE") == $"{Keys}");
        await using var reader = ServiceProcess.Start(
            "Replication", "delay", "127.0.0.1", PortOf(pair.Replica), "-", "1000", "get", "--first-timeout", "10s",
            "--deadline", "1s");
        await reader.Errors.WaitFor("start the side that sets them");

        // Many more than are polled for ahead lie between what was there and what comes.
        await Python(pair.Primary, 700, "set");
        (await reader.End()).ShouldBe(4, reader.ToString());

        reader.Output.ToString().ShouldContain($"read={Keys} missing={1000 - Keys}");
    }

    [Fact]
    public async Task Get_WhereSomethingElseHasTheNameOfAKey_WaitsForItsStamp()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Primary, "MSET", "0", "somebody's", "5", "else's");
        await Eventually.Is("they are replicated", () => ReplicatedPair.Execute(pair.Replica, "DBSIZE") == "2");
        await using var reader = Start(pair.Replica, "get");
        await reader.Errors.WaitFor("start the side that sets them");

        await using var writer = Start(pair.Primary, "set", "--overwrite");
        (await writer.End()).ShouldBe(0, writer.ToString());
        (await reader.End()).ShouldBe(0, reader.ToString());

        reader.Output.ToString().ShouldContain($"read={Keys} missing=0");
        reader.Output.Lines.ShouldAllBe(line => line.Length <= 80 || line.StartsWith("RESULT"));
    }

    [Theory]
    [InlineData("secret", null, null, 0)]
    [InlineData("default:secret", null, null, 0)]
    [InlineData("@password", "secret", null, 0)]
    [InlineData("@password", "default:secret", null, 0)]
    [InlineData("-", null, "secret", 0)]
    [InlineData("@nosuchfile", null, null, 2)]
    [InlineData("@", null, null, 2)]
    [InlineData("wrong", null, null, 3)]
    [InlineData("-", null, null, 3)]
    public async Task Password_FromWhereverItIs_IsUsed(string word, string? file, string? variable, int expected)
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--requirepass", "secret");
        var environment = new Dictionary<string, string>();
        if (variable is not null)
            environment["REDISCLI_AUTH"] = variable;
        var path = Path.Combine(server.Folder, "password");
        if (file is not null)
            await File.WriteAllTextAsync(path, file + "\n", TestContext.Current.CancellationToken);
        await using var writer = ServiceProcess.Start(
            "Replication", environment, "delay", "127.0.0.1", PortOf(server), word == "@password" ? $"@{path}" : word, "3",
            "set");

        (await writer.End()).ShouldBe(expected, writer.ToString());

        writer.ToString().ShouldNotContain("secret");
    }

    [Theory]
    [InlineData("127.0.0.1", "0", "get", "KEYNUMBER")]
    [InlineData("127.0.0.1", "-1", "get", "KEYNUMBER -1: ")]
    [InlineData("127.0.0.1", "10", "put", "SIDE")]
    [InlineData("127.0.0.1:6379", "10", "get", "HOST 127.0.0.1:6379: without the port")]
    public async Task WrongWords_AreWrongUsage(string host, string keys, string side, string named)
    {
        await using var process = ServiceProcess.Start("Replication", "delay", host, "1", "-", keys, side);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(named);
    }

    [Fact]
    public async Task Set_AtAReplica_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = Start(pair.Replica, "set");

        (await writer.End()).ShouldBe(3, writer.ToString());

        writer.Errors.ToString().ShouldContain("is a replica");
    }

    [Fact]
    public async Task Get_AtANodeOfACluster_SaysThatItIsOne()
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--cluster-enabled", "yes");
        ReplicatedPair.Execute(server, "CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        await using var reader = Start(server, "get");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("a node of a cluster");
    }

    [Fact]
    public async Task Set_ByTls_TrustsTheAuthorityThatIsNamed()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("cache.example");
        var port = FreePort.Next().ToString(CultureInfo.InvariantCulture);
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--tls-port", port, "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no");
        string[] words = ["delay", "rediss://127.0.0.1", port, "-", "3", "set"];
        await using var trusting = ServiceProcess.Start("Replication", [.. words, "--tls-ca", authority.CaFile]);
        await using var doubting = ServiceProcess.Start("Replication", words);

        (await trusting.End()).ShouldBe(0, trusting.ToString());
        (await doubting.End()).ShouldBe(3, doubting.ToString());

        doubting.Errors.ToString().ShouldContain("--tls-ca");
    }

    private static ServiceProcess Start(RedisServerProcess server, string side, params string[] options) =>
        ServiceProcess.Start(
            "Replication",
            [
                "delay", "127.0.0.1", PortOf(server), "", Keys.ToString(CultureInfo.InvariantCulture), side, .. options,
            ]);

    private static string PortOf(RedisServerProcess server) => server.Port.ToString(CultureInfo.InvariantCulture);

    private static async Task<string> Python(RedisServerProcess server, int first, string side)
    {
        var script = RepositoryRoot.Combine("tests", "Replication.Tests", "ReplicatorDelayTest", "original.py");
        using var python = Process.Start(new ProcessStartInfo(
            ServerRequirement.Require("python3"),
            [script, PortOf(server), $"{Keys}", first.ToString(CultureInfo.InvariantCulture), side])
        {
            RedirectStandardOutput = true,
        })!;
        var output = await python.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await python.WaitForExitAsync(TestContext.Current.CancellationToken);
        python.ExitCode.ShouldBe(0);
        return output;
    }

    [Fact]
    public async Task Set_WhereSomebodyElsesKeysHaveTheNames_IsRefusedUnlessTheyAreToBeOverwritten()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Primary, "SADD", "7", "member");
        ReplicatedPair.Execute(pair.Primary, "SET", "8", "42");
        ReplicatedPair.Execute(pair.Primary, "SET", "9", "1700000000000");
        ReplicatedPair.Execute(pair.Primary, "SET", $"{Keys}", "beyond");

        await using var refused = Start(pair.Primary, "set");
        (await refused.End()).ShouldBe(3, refused.ToString());
        await using var overwriting = Start(pair.Primary, "set", "--overwrite");
        var before = ReplicatedPair.Execute(pair.Primary, "TYPE", "7");
        (await overwriting.End()).ShouldBe(0, overwriting.ToString());

        refused.Errors.ToString().ShouldContain("2 of the keys 0 to 199 are there and were not written by such a test");
        refused.Errors.ToString().ShouldContain("the first is 7 (a set). Give --overwrite");
        before.ShouldBe("set");
        ReplicatedPair.Execute(pair.Primary, "TYPE", "7").ShouldBe("string");
        ReplicatedPair.Execute(pair.Primary, "GET", $"{Keys}").ShouldBe("beyond");
    }

    private static double Figure(string text, string name) => double.Parse(Word(text, name), CultureInfo.InvariantCulture);

    private static string Word(string text, string name) =>
        text.Split([' ', '\n']).Single(word => word.StartsWith(name + "=", StringComparison.Ordinal))[(name.Length + 1)..];
}
