using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>redis-cli and redis-benchmark, unchanged, against the in-process server.</summary>
public class PublicToolTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task RedisCli_SetsAndGets()
    {
        using var server = InProcessServer.Start();
        (await Run("redis-cli", server.Port, "SET", "key", "a value")).ShouldBe("OK\n");
        (await Run("redis-cli", server.Port, "GET", "key")).ShouldBe("a value\n");
        (await Run("redis-cli", server.Port, "-3", "INCR", "counter")).ShouldBe("1\n");
        (await Run("redis-cli", server.Port, "NOSUCH")).ShouldStartWith("ERR unknown command 'NOSUCH'");
        (await Run("redis-cli", server.Port, "--scan")).Split('\n').ShouldBe(["counter", "key", ""], ignoreOrder: true);
    }

    [Fact]
    public async Task RedisCli_ReadsInfo()
    {
        using var server = InProcessServer.Start();
        var information = await Run("redis-cli", server.Port, "INFO");
        information.ShouldContain("redis_version:7.0.15");
        information.ShouldContain("redis_mode:standalone");
        information.ShouldContain("server_name:redislatency-inprocess");
        information.ShouldContain($"tcp_port:{server.Port.ToString(CultureInfo.InvariantCulture)}");
    }

    [Fact]
    public async Task RedisCli_OnUnixSocket_Works()
    {
        var path = Path.Combine(Path.GetTempPath(), $"redislatency-{Guid.NewGuid():N}.sock");
        using (var server = InProcessServer.Start(new InProcessServerOptions { UnixSocketPath = path }))
        {
            server.Endpoint.ShouldBe($"unix:{path}");
            (await Run("redis-cli", arguments: ["-s", path, "PING"])).ShouldBe("PONG\n");
        }

        File.Exists(path).ShouldBeFalse();
    }

    [Theory]
    [InlineData("-P", "1", "-c", "50")]
    [InlineData("-P", "16", "-c", "50")]
    public async Task RedisBenchmark_RunsEveryTest(params string[] load)
    {
        using var server = InProcessServer.Start();
        string[] arguments = ["-t", "ping,set,get,incr,mset", "-n", "10000", "-r", "1000", "--csv", .. load];
        var output = await Run("redis-benchmark", server.Port, arguments);
        foreach (var test in (string[])["PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)"])
            output.ShouldContain($"\"{test}\"");
        output.ShouldNotContain("rror");
    }

    private static Task<string> Run(string program, int port, params string[] arguments) =>
        Run(program, ["-p", port.ToString(CultureInfo.InvariantCulture), .. arguments]);

    private static async Task<string> Run(string program, string[] arguments)
    {
        var start = new ProcessStartInfo(ServerRequirement.Require(program), arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        try
        {
            var error = process.StandardError.ReadToEndAsync(limit.Token);
            var output = await process.StandardOutput.ReadToEndAsync(limit.Token);
            await process.WaitForExitAsync(limit.Token);
            return output + await error;
        }
        finally
        {
            if (!process.HasExited)
                process.Kill();
        }
    }
}
