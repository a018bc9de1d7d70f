using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>Users with few rights, TLS at both ends, libraries of functions, and Valkey.</summary>
public class EndKindTests
{
    private const string Library = """
        #!lua name=ours
        redis.register_function('ours', function() return 1 end)
        """;

    [Theory]
    [InlineData(false, "sync")]
    [InlineData(true, "sync")]
    [InlineData(false, "scan", "--follow", "--on-existing", "rewrite")]
    [InlineData(true, "scan", "--follow", "--on-existing", "rewrite")]
    public async Task User_WithoutRights_IsToldThem_AndTheyAreEnough(
        bool isCluster, string verb, params string[] arguments)
    {
        await using var source = await Ends.Start(isCluster);
        await using var target = await Ends.Start(isCluster);
        source.Write();
        Each(source, "CONFIG", "SET", "notify-keyspace-events", "AE");
        Each(source, "ACL", "SETUSER", "reader", "on", ">secret");
        Each(target, "ACL", "SETUSER", "writer", "on", ">secret");
        if (isCluster)
        {
            Each(source, "ACL", "SETUSER", "reader", "+cluster|slots");
            Each(target, "ACL", "SETUSER", "writer", "+cluster|slots");
        }

        var (from, to) = (Of("reader", source.Uri), Of("writer", target.Uri));

        var refusal = await SyncProcess.Refusal(verb, from, to, 3, arguments);
        var told = Regex.Matches(refusal, @"ACL SETUSER (\w+)((?: [~&+]\S+)+)");
        told.Select(one => one.Groups[1].Value).ShouldBe(["reader", "writer"], refusal);
        foreach (Match one in told)
        {
            var rules = one.Groups[2].Value.Trim().Split(' ');
            Each(one.Groups[1].Value == "reader" ? source : target, ["ACL", "SETUSER", one.Groups[1].Value, .. rules]);
        }

        await using var process = SyncProcess.Start(verb, from, to, arguments);
        await process.Until("the data set is there", () => target.Contents().Count == 300);
        source.Execute("{t}", "EVAL", "redis.call('SET', KEYS[1], 1) redis.call('INCR', KEYS[2])", "2", "{t}a", "{t}b");
        if (verb == "sync")
        {
            // They are replicated, and are no writes to a list of rights.
            source.Execute("p", "PFADD", "p", "a");
            source.Execute("p", "PFCOUNT", "p");
            source.Execute("p", "PUBLISH", "channel", "message");
            source.Execute("p", "SPUBLISH", "p", "message");
            source.Execute("p", "FUNCTION", "LOAD", Library);
        }

        source.Execute("{7}string:0", "DEL", "{7}string:0");
        source.Execute("last", "SET", "last", "1");
        await process.Until("both are equal", () => target.Contents().SequenceEqual(source.Contents()));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        Each(target, "ACL", "SETUSER", "writer", "-restore", "+acl|whoami", "+acl|dryrun");
        (await SyncProcess.Refusal(verb, from, to, 3, "--on-existing", "rewrite"))
            .ShouldContain("user writer may not use RESTORE;");
    }

    [Fact]
    public async Task User_WithoutChannels_IsFineUntilAMessageComes()
    {
        await using var pair = await SyncPair.Start();
        pair.To.Execute("ACL", "SETUSER", "writer", "on", ">secret", "~*", "+@all", "resetchannels");
        await using var process = SyncProcess.Start("sync", pair.Source.Uri, Of("writer", pair.Target.Uri));
        pair.From.Execute("SET", "key", "1");
        await process.Until("it is there", () => pair.To.Execute("EXISTS", "key").Number == 1);

        pair.From.Execute("PUBLISH", "channel", "message");

        (await process.End()).ShouldBe(4, process.ToString());
        process.ToString().ShouldContain("PUBLISH");
        process.ToString().ShouldContain("NOPERM");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task User_WhoMayNotSelect_IsToldThatRight_AndOfNoMissingDatabase(bool mayAsk)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SELECT", "1");
        pair.From.Execute("SET", "key", "1");
        pair.To.Execute(
            "ACL", "SETUSER", "writer", "on", ">secret", "~*", "&*", "+@all", "-select", mayAsk ? "+acl" : "-acl");

        var refusal = await SyncProcess.Refusal("scan", pair.Source.Uri, Of("writer", pair.Target.Uri), 3);

        refusal.ShouldContain($"user writer may not use SELECT{(mayAsk ? string.Empty : " 1")}; to allow all");
        refusal.ShouldNotContain("has no database");
        refusal.Split("may not use").Length.ShouldBe(2, refusal);
    }

    [Theory]
    [InlineData("sync", "--source", "/1", "--allow-database 1")]
    [InlineData("scan", "--source", "/1", "--database 1")]
    [InlineData("sync", "--destination", "/7", "--database-map 0:7")]
    [InlineData("scan", "--destination", "/7", "--database-map 0:7")]
    [InlineData("rdb", "--destination", "/7", "--database-map 0:7")]
    [InlineData("aof", "--destination", "/7", "--database-map 0:7")]
    public async Task DatabaseOfAnAddress_IsRefused_WithTheOptionThatChoosesOne(
        string verb, string end, string database, string option)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");
        pair.From.Execute("SAVE");
        var source = $"redis://127.0.0.1:{pair.Source.Port}{(end == "--source" ? database : "/0")}";
        var target = $"redis://127.0.0.1:{pair.Target.Port}{(end == "--source" ? string.Empty : database)}";
        var file = Path.Combine(pair.Source.Folder, "dump.rdb");

        await using var process = verb is "rdb" or "aof"
            ? SyncProcess.StartFile(verb, file, target)
            : SyncProcess.Start(verb, source, target);

        (await process.End()).ShouldBe(2, process.ToString());
        process.Errors.ToString().ShouldContain($"{end}: no database can stand here");
        process.Errors.ToString().ShouldContain(option);
    }

    [Fact]
    public async Task DatabaseZeroOfAnAddress_IsTaken()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");

        await SyncProcess.Run(
            "scan", $"redis://127.0.0.1:{pair.Source.Port}/0", $"redis://127.0.0.1:{pair.Target.Port}/0");

        KeyContents.CountIn(pair.To).ShouldBe(1);
    }

    [Fact]
    public async Task Restore_InTheStream_OfANewerSource_IsTakenByAnOlderTarget()
    {
        ServerRequirement.Require("redis-server");
        ServerRequirement.Require("valkey-server");
        await using var source = await RedisServerProcess.Start("valkey-server");
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("HSET", "hash", "a", "1", "b", "2");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the data set is there", () => KeyContents.CountIn(to) == 1);

        using var pipeline = RedisPipeline.Open(RedisEndpoint.Parse(source.Uri), Patience.Connection);
        var request = new RespWriter();
        request.WriteArrayHeader(4);
        request.WriteBulkString("RESTORE");
        request.WriteBulkString("copy");
        request.WriteBulkString("0");
        request.WriteBulkString(from.Execute("DUMP", "hash").Content);
        pipeline.Send(request.Written);
        pipeline.Await("RESTORE").IsError.ShouldBeFalse();

        await process.Until("it is restored", () => to.Execute("HLEN", "copy").Number == 2);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public void Rights_OfThePage_AreThoseThatAreTold()
    {
        var page = File.ReadAllText(Path.Combine(RepositoryRoot.Path, "docs", "synchroniser.md"));

        foreach (var rights in (string[])
            [SyncRights.Replica, SyncRights.Scan, SyncRights.Follow, SyncRights.Target, SyncRights.Cluster])
        {
            page.ShouldContain($" {rights.Trim()}\n", Case.Sensitive);
        }
    }

    [Fact]
    public async Task Sync_OverTlsOnBothSides_MakesBothEqual()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("cache.example");
        var ports = new[] { FreePort.Next(), FreePort.Next() };
        await using var source = await RedisServerProcess.Start(arguments: Tls(ports[0]));
        await using var target = await RedisServerProcess.Start(arguments: Tls(ports[1]));
        using var from = SyncProcess.Open(source.Uri);
        KeyContents.Write(from);

        await using var process = SyncProcess.Start(
            "sync", $"rediss://127.0.0.1:{ports[0]}", $"rediss://127.0.0.1:{ports[1]}", "--tls-ca", authority.CaFile);
        await process.Until("the data set is there", () => KeyContents.CountOf(target) == 300);
        for (var i = 0; i < 1000; i++)
            from.Execute("SET", $"string:{i}", new string('x', i));
        await process.Until("the last is there", () => KeyContents.Of(target).ContainsKey("0/string:999"));

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        string[] Tls(int port) =>
        [
            "--tls-port", port.ToString(CultureInfo.InvariantCulture), "--tls-cert-file", certificate,
            "--tls-key-file", key, "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no",
            .. KeyContents.Debuggable,
        ];
    }

    // Each side wants a client's certificate that the other would refuse.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Sync_WithCertificatesOfEachSide_MakesBothEqual(bool byFile)
    {
        using var ofSource = new TlsSide();
        using var ofTarget = new TlsSide();
        await using var source = await ofSource.Start();
        await using var target = await ofTarget.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "k", "1");
        var file = Path.Combine(source.Folder, "shake.toml");
        await File.WriteAllTextAsync(
            file,
            $"[sync_reader]\n{ofSource.Toml}[sync_reader.tls_config]\n{ofSource.TomlFiles}"
                + $"[redis_writer]\n{ofTarget.Toml}[redis_writer.tls_config]\n{ofTarget.TomlFiles}",
            TestContext.Current.CancellationToken);

        await using var process = byFile
            ? ServiceProcess.Start("Sync", "sync", file, "--format", "json", "--live", "none")
            : SyncProcess.Start(
                "sync", ofSource.Uri, ofTarget.Uri, "--tls-ca", ofSource.Authority, "--tls-cert", ofSource.Certificate,
                "--tls-key", ofSource.Key, "--other-tls-ca", ofTarget.Authority, "--other-tls-cert",
                ofTarget.Certificate, "--other-tls-key", ofTarget.Key);
        await process.Until("it is there", () => to.Execute("EXISTS", "k").Number == 1);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        (await SyncProcess.Refusal(
            "sync", ofSource.Uri, ofTarget.Uri, 3, "--tls-ca", ofSource.Authority, "--tls-cert", ofSource.Certificate,
            "--tls-key", ofSource.Key)).ShouldContain("--tls-ca");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Sync_WithTlsOnOneSide_MakesBothEqual(bool isSource)
    {
        using var side = new TlsSide();
        await using var safe = await side.Start();
        await using var plain = await RedisServerProcess.Start();
        using var from = SyncProcess.Open((isSource ? safe : plain).Uri);
        using var to = SyncProcess.Open((isSource ? plain : safe).Uri);
        from.Execute("SET", "k", "1");

        await using var process = SyncProcess.Start(
            "sync", isSource ? side.Uri : plain.Uri, isSource ? plain.Uri : side.Uri, "--tls-ca", side.Authority,
            "--tls-cert", side.Certificate, "--tls-key", side.Key);
        await process.Until("it is there", () => to.Execute("EXISTS", "k").Number == 1);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Libraries_OfFunctions_AreLoadedAndDeleted(bool toCluster)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(toCluster);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("FUNCTION", "LOAD", Library);
        Each(target, "FUNCTION", "LOAD", Library.Replace("return 1", "return 0", StringComparison.Ordinal));

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is replaced", () => Libraries(target).All(text => text.Contains("return 1")));
        from.Execute("FUNCTION", "LOAD", Library.Replace("ours", "theirs", StringComparison.Ordinal));
        await process.Until("the second is there", () => Libraries(target).All(text => text.Contains("theirs")));
        from.Execute("FUNCTION", "DELETE", "ours");
        await process.Until("the first is gone", () => Libraries(target).All(text => !text.Contains("ours")));

        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    // One that has no functions, and one that does not know what a newer server's use.
    [Theory]
    [InlineData("redis-server", "--connections", "2", "--rename-command", "FUNCTION", "")]
    [InlineData("valkey-server", "--connections", "1")]
    public async Task Libraries_ThatTheTargetRefuses_EndTheRun_UntilTheyAreLeftOut(
        string program, string connections, string count, params string[] arguments)
    {
        await using var source = await RedisServerProcess.Start(program);
        await using var target = await RedisServerProcess.Start(arguments: arguments);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        var library = program == "valkey-server"
            ? Library.Replace("redis.register", "server.register", StringComparison.Ordinal)
            : Library;
        from.Execute("SET", "first", "1");

        await using var ended = SyncProcess.Start("sync", source.Uri, target.Uri, connections, count);
        await ended.Until("it follows", () => to.Execute("EXISTS", "first").Number == 1);
        from.Execute("FUNCTION", "LOAD", library);
        from.Execute("INCR", "second");
        (await ended.End()).ShouldBe(4, ended.ToString());
        ended.Errors.ToString().ShouldContain(
            "; --skip-refused-libraries leaves such libraries out", customMessage: ended.ToString());

        await using var process = SyncProcess.Start(
            "sync", source.Uri, target.Uri, connections, count, "--skip-refused-libraries");
        from.Execute("FUNCTION", "DELETE", "ours");
        from.Execute("INCR", "last");
        await process.Until("the last is there", () => to.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("TERM").End(process);

        code.ShouldBe(143, process.ToString());
        record.Sync()["skips"]!.AsArray().Select(skip => skip!["reason"]!.GetValue<string>())
            .ShouldAllBe(reason => reason.StartsWith("libraries of functions that the target refuses, as asked: ERR"));
        record.Sync()["skips"]![0]!["first"]!.GetValue<string>().ShouldBe("#!lua name=ours");
        to.Execute("GET", "second").Text.ShouldBe("1");
    }

    [Fact]
    public async Task Valkey9_WithTimesOfFields_GoesToAClusterWithSeveralDatabases()
    {
        ServerRequirement.Require("valkey-server");
        await using var source = await RedisServerProcess.Start("valkey-server");
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("HSET", "hash", "a", "1", "b", "2");
        Assert.SkipWhen(
            from.Request("HPEXPIRE", "hash", "100000000", "FIELDS", "1", "a").IsError,
            "valkey-server is older than 9, whose hashes have times of fields");
        await using var target = await RedisClusterProcesses.Start(new RedisClusterOptions
        {
            Program = "valkey-server",
            ReplicasPerPrimary = 0,
            Arguments = ["--cluster-databases", "4"],
        });
        using var first = target.Open(target.PrimaryOf(KeySlot.Of("hash"u8)));
        using var other = target.Open(target.PrimaryOf(KeySlot.Of("count"u8)));
        other.Execute("SELECT", "2");
        from.Execute("SELECT", "2");
        from.Execute("SET", "count", "1");

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the data set is there", () => other.Execute("EXISTS", "count").Number == 1);
        from.Execute("INCR", "count");
        await process.Until("the command is there", () => other.Execute("GET", "count").Text == "2");
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        from.Execute("SELECT", "0");
        first.Execute("HPEXPIRETIME", "hash", "FIELDS", "2", "a", "b").ToString()
            .ShouldBe(from.Execute("HPEXPIRETIME", "hash", "FIELDS", "2", "a", "b").ToString());
    }

    [Theory]
    [InlineData("redis-server", "valkey-server")]
    [InlineData("valkey-server", "redis-server")]
    [InlineData("valkey-server", "valkey-server")]
    public async Task Sync_WithValkey_MakesBothEqual(string fromProgram, string toProgram)
    {
        ServerRequirement.Require(fromProgram);
        ServerRequirement.Require(toProgram);
        await using var source = await RedisServerProcess.Start(fromProgram, KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(toProgram, KeyContents.Debuggable);
        using var from = SyncProcess.Open(source.Uri);
        KeyContents.Write(from);
        // Of those that the other does not know some are refused before it hears of the next database.
        from.Execute("SELECT", "1");
        KeyContents.Write(from, count: 5);

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri, "--connections", "1");
        await process.Until("the data set is there", () => KeyContents.CountOf(target) == 330);
        from.Execute("SELECT", "2");
        KeyContents.Write(from, count: 5);
        from.Execute("SET", "last", "1");
        await process.Until("the last is there", () => KeyContents.Of(target).ContainsKey("2/last"));

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.Synced("skipped").ShouldBe(0);
    }

    [Fact]
    public async Task Source_WhosePsyncHasAnotherName_IsReadByIt()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var service = AlteredReplies.Calling(source, "PSYNC", "abcpsync");
        var address = service.Uri["redis://".Length..];
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "k", "v");

        (await SyncProcess.Refusal("sync", service.Uri, target.Uri, 4)).ShouldContain("unknown command");
        await SyncProcess.Run(
            "sync", service.Uri, target.Uri, 0, "--no-stream", "--psync-command", $"{address}@abcpsync");

        using var to = SyncProcess.Open(target.Uri);
        to.Execute("GET", "k").Text.ShouldBe("v");
    }

    private static void Each(Ends ends, params string[] words)
    {
        foreach (var server in ends.Servers)
        {
            using var connection = SyncProcess.Open(server.Uri);
            connection.Execute(words);
        }
    }

    private static List<string> Libraries(Ends ends)
    {
        var texts = new List<string>();
        foreach (var server in ends.Servers)
        {
            using var connection = SyncProcess.Open(server.Uri);
            texts.Add(connection.Request(RespLimits.List, "FUNCTION", "LIST", "WITHCODE").ToString());
        }

        return texts;
    }

    private static string Of(string user, string uri) =>
        uri.Replace("://", $"://{user}:secret@", StringComparison.Ordinal);
}
