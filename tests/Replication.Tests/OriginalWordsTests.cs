using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests;

/// <summary>The command line of replicator-delay-test starts delay write and delay read.</summary>
public sealed class OriginalWordsTests
{
    [Theory]
    [InlineData("delay h 1 - 10 set", "delay write redis://h:1 --keys 10")]
    [InlineData("delay h 1 - 10 get", "delay read redis://h:1")]
    [InlineData("delay h 1 @f 10 set --rate 5", "delay write redis://h:1 --password-file f --keys 10 --rate 5")]
    [InlineData("delay h 1 p@ss 10 get", "delay read redis://:p%40ss@h:1")]
    [InlineData("delay h 1 me:p:s/s 10 get", "delay read redis://me:p%3As%2Fs@h:1")]
    [InlineData("delay rediss://h/ 1 p 10 get --tls-ca f", "delay read rediss://:p@h:1 --tls-ca f")]
    [InlineData("delay ::1 1 - 10 get", "delay read redis://[::1]:1")]
    [InlineData("delay a:1 b:2 --keys 10", "delay a:1 b:2 --keys 10")]
    [InlineData("delay a b c d e", "delay a b c d e")]
    [InlineData("matrix a", "matrix a")]
    public void Words_OfTheOriginal_AreWordsOfThisProgram(string given, string expected) =>
        string.Join(' ', ReplicationProgram.WithOriginal(given.Split(' '))).ShouldBe(expected);

    [Fact]
    public void Words_WithoutAPassword_HaveNoLogin() => string
        .Join(' ', ReplicationProgram.WithOriginal(["delay", "h", "1", string.Empty, "10", "set"]))
        .ShouldBe("delay write redis://h:1 --keys 10");

    [Fact]
    public async Task SetAndGet_OfServersWithPasswords_MeasureTheDelayOfEveryKey()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "requirepass", "far/secret");
        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "requirepass", "near secret");
        var file = Path.Combine(pair.Replica.Folder, "password");
        await File.WriteAllTextAsync(file, "near secret\n", TestContext.Current.CancellationToken);
        var control = $"redis://:far%2Fsecret@127.0.0.1:{pair.Primary.Port}";

        await using var reader = Start(pair.Replica, $"@{file}", "get", "--control", control);
        await using var writer = Start(pair.Primary, "default:far/secret", "set");
        (await writer.End()).ShouldBe(0, writer.ToString());
        (await reader.End()).ShouldBe(0, reader.ToString());

        writer.Output.ToString().ShouldContain("role=replication ");
        reader.Output.ToString().ShouldContain(" read=200 missing=0 ");
        (writer.ToString() + reader).ShouldNotContain("secret");
    }

    [Theory]
    [InlineData("delay 127.0.0.1 1 secret 10 put", "unexpected word '1': a server is HOST, HOST:PORT or ")]
    [InlineData("delay 127.0.0.1 1", "unexpected word '1': a server is HOST, HOST:PORT or ")]
    [InlineData("delay 127.0.0.1 x secret 10 get", "the port is no number")]
    [InlineData("delay 127.0.0.1:6379 1 secret 10 get", "several colons")]
    [InlineData("delay 127.0.0.1 1 secret 0 set", "--keys 0: ")]
    [InlineData("delay 127.0.0.1 1 @nosuchfile 10 get", "--password-file nosuchfile: there is no such file")]
    [InlineData("delay 127.0.0.1 1 @ 10 get", "--password-file")]
    public async Task WrongWords_AreWrongUsage(string words, string named)
    {
        await using var process = ServiceProcess.Start("Replication", words.Split(' '));

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(named);
        process.Errors.ToString().ShouldNotContain("secret");
    }

    private static ServiceProcess Start(RedisServerProcess server, string password, string side, params string[] more) =>
        ServiceProcess.Start(
            "Replication",
            ["delay", "127.0.0.1", $"{server.Port}", password, "200", side, "--peer-timeout", "100s", .. more]);
}
