using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Other servers than a plain Redis.</summary>
public class ServerKindTests
{
    [Fact]
    public async Task Run_BetweenTwoValkeys_ReadsEveryKey()
    {
        await using var pair = await ReplicatedPair.Start(program: "valkey-server");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "100", "--rate", "200", "--deadline", "50s",
            "--connect-timeout", "60s", "--command-timeout", "60s", "--link-timeout", "60s", "--expiry", "5m");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(100);
        record["targets"]![0]!["server"]!["name"]!.GetValue<string>().ShouldBe("valkey");
    }

    [Fact]
    public async Task Run_OverTls_ReadsEveryKey()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("cache.example");
        var ports = new[] { FreePort.Next(), FreePort.Next() };
        await using var pair = await ReplicatedPair.Start(ofPrimary: Tls(ports[0]), ofReplica: Tls(ports[1]));
        await using var process = DelayProcess.Start(
            $"rediss://127.0.0.1:{ports[0]}", $"rediss://127.0.0.1:{ports[1]}", "--tls-ca", authority.CaFile,
            "--keys", "100", "--rate", "200", "--deadline", "50s",
            "--connect-timeout", "60s", "--command-timeout", "60s", "--link-timeout", "60s", "--expiry", "5m");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(100);
        record["targets"]![1]!["transport"]!.GetValue<string>().ShouldContain("tls", Case.Insensitive);

        string[] Tls(int port) =>
        [
            "--tls-port", port.ToString(CultureInfo.InvariantCulture), "--tls-cert-file", certificate,
            "--tls-key-file", key, "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no",
        ];
    }
}
