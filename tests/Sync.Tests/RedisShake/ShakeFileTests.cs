using System.Net;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Sync.RedisShake;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.RedisShake;

/// <summary>Files of settings of RedisShake, read as a user gives them, and the page that its users look at.</summary>
public sealed partial class ShakeFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("shake").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public void Options_AllStandOnThePage()
    {
        var page = File.ReadAllText(RepositoryRoot.Combine("docs", "shake-toml.md"));
        var shown = Row().Matches(page)
            .SelectMany(row => Word().Matches(row.Groups["option"].Value))
            .Select(word => word.Groups[1].Value).ToHashSet();

        shown.ShouldBe(
            ShakeOptions.Sections.Values.SelectMany(section => section).Select(one => one.Name).ToHashSet(),
            ignoreOrder: true);
    }

    [Fact]
    public async Task SyncFile_WithEveryOption_SetsOurs()
    {
        var (code, output, errors) = await Show("sync", """
            [sync_reader]
            cluster = true
            address = "10.0.0.1:6379"
            username = "me"
            password = "p@ss/${WORD}"
            tls = true
            sync_rdb = false
            sync_aof = true
            prefer_replica = true
            try_diskless = false
            [sync_reader.tls_config]
            ca_cert = "/ca.pem"
            cert = "/cert.pem"
            key = "/key.pem"
            [redis_writer]
            address = "10.0.0.2:26379"
            password = ""
            off_reply = true
            sentinel = true
            master = "main"
            [filter]
            allow_keys = ["a", 'b "c"']
            allow_key_prefix = ["pre:"]
            allow_key_suffix = [":suf"]
            allow_key_regex = ["^x[0-9]$"]
            block_keys = ["d"]
            block_key_prefix = ["tmp:"]
            block_key_suffix = [":old"]
            block_key_regex = ["e+"]
            allow_db = [0, 1]
            block_db = [2]
            allow_command = ["SET"]
            block_command = ["DEL"]
            allow_command_group = ["STRING"]
            block_command_group = ["SCRIPTING"]
            function = "shake.call(DB, ARGV)"
            [advanced]
            dir = "/tmp/data"
            ncpu = 4
            pprof_port = 6060
            status_port = ${PORT}
            log_file = "other.log"
            log_level = "debug"
            log_interval = 7
            log_rotation = false
            log_max_size = 1
            log_max_age = 2
            log_max_backups = 4
            log_compress = false
            rdb_restore_command_behavior = "skip"
            pipeline_count_limit = 99
            target_redis_max_qps = 1000
            target_redis_client_max_querybuf_len = 1024
            target_redis_proto_max_bulk_len = 1048576
            aws_psync = "10.0.0.1:6379@abcpsync,10.0.0.3:6379@defpsync"
            empty_db_before_sync = true
            empty_db_by_async = false
            lazy_free_pending_objects_max_wait = "5s"
            lazy_free_pending_objects_check_interval = "1s"
            [module]
            target_mbbloom_version = 1
            """);

        code.ShouldBe(0, errors);
        Values(output).ShouldBe(new Dictionary<string, string>
        {
            ["--source"] = "rediss+cluster://***:***@10.0.0.1:6379/0",
            ["--destination"] = "redis+sentinel://10.0.0.2:26379/main/0",
            ["--tls-ca"] = "/ca.pem",
            ["--tls-cert"] = "/cert.pem",
            ["--tls-key"] = "/key.pem",
            ["--no-data-set"] = "true",
            ["--no-stream"] = "false",
            ["--prefer-replica"] = "true",
            ["--no-diskless"] = "true",
            ["--spool"] = "/tmp/data",
            ["--psync-command"] = "10.0.0.1:6379@abcpsync 10.0.0.3:6379@defpsync",
            ["--big-value"] = "1MiB",
            ["--allow-key"] = "a b \"c\"",
            ["--allow-key-prefix"] = "pre:",
            ["--allow-key-suffix"] = ":suf",
            ["--allow-key-regex"] = "^x[0-9]$",
            ["--block-key"] = "d",
            ["--block-key-prefix"] = "tmp:",
            ["--block-key-suffix"] = ":old",
            ["--block-key-regex"] = "e+",
            ["--allow-database"] = "0 1",
            ["--block-database"] = "2",
            ["--allow-command"] = "SET",
            ["--block-command"] = "DEL",
            ["--allow-command-group"] = "STRING",
            ["--block-command-group"] = "SCRIPTING",
            ["--function-code"] = "shake.call(DB, ARGV)",
            ["--on-existing"] = "skip",
            ["--empty-destination"] = "true",
            ["--rate"] = "1000",
            ["--max-in-flight"] = "99",
            ["--metrics"] = "http://0.0.0.0:9999",
            ["--checkpoint"] = "none",
        }, ignoreOrder: true);
        output.ShouldContain("shake.toml");
        output.ShouldNotContain("p@ss");
        var idle = ShakeOptions.Sections.Values.SelectMany(section => section).Where(one => one.Usual is not null);
        foreach (var one in idle)
            errors.ShouldContain($"{one.Name} has no effect here");
    }

    [Fact]
    public async Task OtherFiles_SetOurs()
    {
        var scan = await Show("scan", """
            [scan_reader]
            address = "a:1"
            dbs = [1, 5]
            scan = true
            ksn = true
            count = 50
            skip_unknown_type = ["MBbloom--"]
            [scan_reader.tls_config]
            ca_cert = ""
            [redis_writer]
            tls = true
            [redis_writer.sentinel]
            address = "b:2,c:3"
            master_name = "main"
            username = "watcher"
            password = "secret"
            tls = true
            [advanced]
            rdb_restore_command_behavior = "rewrite"
            """);
        var aof = await Show("aof", """
            [aof_reader]
            filepath = "FOLDER/shake.toml"
            timestamp = 1790000000
            [file_writer]
            filepath = "/tmp/out"
            """);
        var whole = await Show("aof", """
            [aof_reader]
            filepath = "FOLDER/shake.toml"
            timestamp = 0
            [file_writer]
            filepath = "/tmp/out"
            """);

        var inner = await Show("sync", """
            redis_writer = { address = "b:1" }
            filter.allow_db = [3]
            [sync_reader.sentinel]
            "address" = "a:1"
            master_name = "main"
            """);

        Values(inner.Output).ShouldBe(new Dictionary<string, string>
        {
            ["--source"] = "redis+sentinel://a:1/main/0",
            ["--destination"] = "redis://b:1/0",
            ["--allow-database"] = "3",
            ["--no-diskless"] = "true",
            ["--checkpoint"] = "none",
        }, ignoreOrder: true);
        Values(whole.Output).Keys.ShouldNotContain("--until");
        Values(scan.Output).ShouldBe(new Dictionary<string, string>
        {
            ["--source"] = "redis://a:1/0",
            ["--destination"] = "rediss+sentinel://b:2,c:3/main/0?sentinel-user=***&sentinel-password=***",
            ["--database"] = "1 5",
            ["--follow"] = "true",
            ["--count"] = "50",
            ["--skip-type"] = "MBbloom--",
            ["--on-existing"] = "rewrite",
        }, ignoreOrder: true);
        Values(aof.Output).ShouldBe(new Dictionary<string, string>
        {
            ["--until"] = "1790000000",
            ["--destination-file"] = "/tmp/out",
            ["--file-format"] = "cmd",
        }, ignoreOrder: true);
    }

    [Theory]
    [InlineData("sync")]
    [InlineData("scan")]
    [InlineData("rdb")]
    [InlineData("aof")]
    public async Task Reader_Decides_WhicheverWordIsTyped(string typed)
    {
        await File.WriteAllTextAsync(FileOf(), "[scan_reader]\naddress = \"a:1\"\n", Cancellation);

        ShakeFile.WithVerb([typed, FileOf(), "-q"]).ShouldBe(["scan", "-q", "--config", FileOf()]);
    }

    [Fact]
    public async Task Tls_WithoutAnAuthority_ChecksCertificates_AndSaysSo()
    {
        var (code, output, errors) = await Show("scan", """
            [scan_reader]
            address = "a:1"
            tls = true
            [redis_writer]
            address = "b:1"
            """);

        code.ShouldBe(0, errors);
        Values(output).Keys.ShouldNotContain("--tls-insecure");
        errors.ShouldContain("certificates are checked by the authorities of this system");
    }

    // RedisShake takes what has a form that it did not ask for.
    [Fact]
    public async Task File_AsItsUsersHaveIt_IsTaken()
    {
        var (code, output, errors) = await Show("sync", """
            [Sync_Reader]
            cluster = 0
            Address = "a:1"
            password = 123456
            try_diskless = 1
            sync_aof = "true"
            later_option = "verysecret"
            [redis_writer]
            cluster = "f"
            address = "b:1"
            [filter]
            allow_key_prefix = "a,b"
            allow_db = 3
            [advanced]
            target_redis_max_qps = "1000"
            [later.section]
            option = 1
            """);

        code.ShouldBe(0, errors);
        Values(output).ShouldBe(new Dictionary<string, string>
        {
            ["--source"] = "redis://:***@a:1/0",
            ["--destination"] = "redis://b:1/0",
            ["--no-diskless"] = "false",
            ["--no-stream"] = "false",
            ["--allow-key-prefix"] = "a b",
            ["--allow-database"] = "3",
            ["--rate"] = "1000",
            ["--checkpoint"] = "none",
        }, ignoreOrder: true);
        errors.ShouldContain("later_option: there is no such option");
        errors.ShouldContain("there is no such section");
        errors.ShouldNotContain("verysecret");
    }

    [Theory]
    [InlineData("[sync_reader]\naddres = \"a:1\"",
        "line 2: [sync_reader] addres: there is no such option; did you mean address?")]
    [InlineData("[filtr]", "line 1: [filtr]: there is no such section; did you mean filter?")]
    [InlineData("[sync_reader]\naddress = [7]", "line 2: [sync_reader] address: a text in quotes is needed")]
    [InlineData("[filter]\nallow_db = [\"x\"]", "line 2: [filter] allow_db: a list of whole numbers is needed")]
    [InlineData("[sync_reader]\naddress = \"a:1\"\n[scan_reader]\naddress = \"a:1\"\n[redis_writer]\naddress = \"b:1\"",
        "line 4: only one reader can be used, and there are [sync_reader] and [scan_reader]")]
    [InlineData("[sync_reader]\naddress = \"a:1\"", "line 1: a writer is needed: [redis_writer], [file_writer]")]
    [InlineData("[scan_reader]\nscan = false", "line 2: [scan_reader] scan can only be true here")]
    [InlineData("[redis_writer]\npassword = \"verysecret", "line 2: not valid TOML")]
    [InlineData("[redis_writer]\ntls = true\n[redis_writer]\npassword = \"verysecret\"", "line 3: this is there twice")]
    [InlineData("[sync_reader]\npassword = x@verysecret", "line 2: not valid TOML")]
    [InlineData("[sync_reader]\npassword = 2verysecret", "line 2: not valid TOML")]
    [InlineData("[sync_reader]\npassword.\"verysecret\" = 1",
        "line 2: [sync_reader] password: a text in quotes is needed")]
    [InlineData("[sync_reader]\npassword.verysecret = 1", "line 2: [sync_reader] password: a text in quotes is needed")]
    [InlineData("[sync_reader]\npasword.verysecret = 1", "line 2: [sync_reader.***]: there is no such section")]
    [InlineData("[sync_reader]\n\"pass word=verysecret\" = 1", "line 2: [sync_reader] ***: there is no such option")]
    [InlineData("[sync_reader.'verysecret']", "line 1: [sync_reader.***]: there is no such section")]
    [InlineData("'verysecret' = 1", "line 1: *** stands before the first section")]
    [InlineData("sync_reader = { \"verysecret\" = 1 }", "line 1: [sync_reader] ***: there is no such option")]
    [InlineData("redis_writer.verysecret = 1", "line 1: [redis_writer] ***: there is no such option")]
    [InlineData("[filter]\nallow_db = [1]\n\"allow_db\" = [2]", "line 3: this is there twice")]
    [InlineData("[[filter]]\nallow_db = [1]", "line 1: filter has two brackets, where a section has one")]
    [InlineData("[filter]\nallow_db = [99999999999999999999]", "line 2: not valid TOML")]
    [InlineData("filter = { allow_db = [1] }\n[filter]", "line 2: this is there twice")]
    [InlineData("[rdb_reader]\n[file_writer]\nfilepath = \"\"", "line 3: [file_writer] filepath is missing")]
    [InlineData(
        "[sync_reader]\naddress = \"a:1\"\n[redis_writer]\ncluster = true\n[redis_writer.sentinel]\n"
            + "address = \"b:1\"",
        "line 4: [redis_writer] is a cluster or has Sentinels, not both")]
    [InlineData("[sync_reader]\nsync_rdb = true\n[redis_writer]\naddress = \"b:1\"",
        "[sync_reader] address is missing")]
    [InlineData("[sync_reader]\naddress = \"a:1\"\n[redis_writer]\naddress = \"b:1\"\n[advanced]\nstatus_port = 70000",
        "(from shake.toml, line 6: advanced.status_port)")]
    public async Task File_ThatIsWrong_IsRefusedWithTheLine(string text, string problem)
    {
        var (code, _, errors) = await Show("sync", text);

        code.ShouldBe(2);
        errors.ShouldContain(problem);
        errors.ShouldNotContain("is needed, or --destination-file");
        errors.ShouldNotContain("verysecret");
        errors.ShouldNotContain("   at ");
    }

    [Fact]
    public async Task Sync_OfAFile_ShowsRedisShakesStatus_AndItIsTrue()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start(arguments: ["--requirepass", "p\"w"]);
        using var writing = SyncProcess.Open(source.Uri);
        using var reading = SyncProcess.Open($"redis://:{Uri.EscapeDataString("p\"w")}@127.0.0.1:{target.Port}");
        reading.Execute("SET", "old", "1");
        writing.Execute("SET", "key:1", "1");
        writing.Execute("SET", "tmp:1", "1");
        await File.WriteAllTextAsync(FileOf(), $"""
            [sync_reader]
            address = "127.0.0.1:{source.Port}"
            [redis_writer]
            address = "127.0.0.1:{target.Port}"
            password = "${"{SHAKE_PASSWORD}"}"
            [filter]
            block_key_prefix = ["tmp:"]
            [advanced]
            dir = "{_folder}/data"
            empty_db_before_sync = true
            """, Cancellation);

        await using var process = ServiceProcess.Start(
            "Sync", new Dictionary<string, string> { ["SHAKE_PASSWORD"] = "p\"w" },
            "sync", FileOf(), "--format", "json", "--live", "none", "--metrics", "http://127.0.0.1:0");
        var page = new Uri(await process.MetricsAddress(), "/");
        await Eventually.Is("the data set is there", () => reading.Execute("EXISTS", "key:1").Number == 1);
        for (var i = 0; i < 100; i++)
            writing.Execute("INCR", "key:2");
        writing.Execute("SET", "tmp:2", "1");
        JsonNode status = new JsonObject();
        await Eventually.Is("all is there", () => (status = Status(page))["consistent"]!.GetValue<bool>()
            && status["per_cmd_entries_count"]!["SET"]?["read_count"]?.GetValue<long>() == 1);

        var reader = status["reader"]!;
        reading.Execute("EXISTS", "old").Number.ShouldBe(0);
        reading.Execute("GET", "key:2").Text.ShouldBe("100");
        // As RedisShake's users count: nothing is there but data.
        reading.Execute("DBSIZE").Number.ShouldBe(2);
        reader["status"]!.GetValue<string>().ShouldBe("syncing aof");
        reader["address"]!.GetValue<string>().ShouldBe($"127.0.0.1:{source.Port}");
        reader["dir"]!.GetValue<string>().ShouldBe($"{_folder}/data");
        reader["rdb_sent_bytes"]!.GetValue<long>().ShouldBe(reader["rdb_received_bytes"]!.GetValue<long>());
        reader["rdb_received_human"]!.GetValue<string>().ShouldMatch(@"^\d+ B$");
        reader["aof_received_offset"]!.GetValue<long>().ShouldBe(reader["applied_offset"]!.GetValue<long>());
        var offset = InfoOf(writing, "master_repl_offset");
        reader["applied_offset"]!.GetValue<long>().ShouldBeInRange(offset - 1000, offset);
        status["per_cmd_entries_count"]!["INCR"]!["write_count"]!.GetValue<long>().ShouldBe(100);
        status["per_cmd_entries_count"]!["RESTORE"]!["write_count"]!.GetValue<long>().ShouldBe(1);
        status["total_entries_count"]!["read_count"]!.GetValue<long>().ShouldBe(103);
        status["total_entries_count"]!["write_count"]!.GetValue<long>().ShouldBe(101);
        status["writer"]!["unanswered_entries"]!.GetValue<long>().ShouldBe(0);
        DateTime.Parse(status["start_time"]!.GetValue<string>(), System.Globalization.CultureInfo.InvariantCulture)
            .ShouldBe(TimeProvider.System.GetLocalNow().DateTime, ServiceProcess.LimitAgainstHangs);

        var incrementing = Task.Run(
            () =>
            {
                for (var i = 0; i < 3000; i++)
                    writing.Execute("INCR", "key:3");
            }, Cancellation);
        while (!incrementing.IsCompleted)
        {
            status = Status(page);
            var (total, increments) = (status["total_entries_count"]!, status["per_cmd_entries_count"]!["INCR"]!);
            if (!status["consistent"]!.GetValue<bool>())
                continue;
            var count = increments["read_count"]!.GetValue<long>();
            increments["write_count"]!.GetValue<long>().ShouldBe(count);
            total["read_count"]!.GetValue<long>().ShouldBe(count + 3);
            total["write_count"]!.GetValue<long>().ShouldBe(count + 1);
        }

        await incrementing;
        await Eventually.Is("all is there", () => reading.Execute("GET", "key:3").Text == "3000"
            && Status(page)["consistent"]!.GetValue<bool>());
        reading.Execute("CLIENT", "PAUSE", "60000", "WRITE");
        writing.Execute("INCR", "key:2");
        await Eventually.Is("it lags", () => (status = Status(page))["lag_ms"]!.GetValue<double>() > 300);
        status["consistent"]!.GetValue<bool>().ShouldBeFalse();
        status["writer"]!["unanswered_entries"]!.GetValue<long>().ShouldBe(1);
        reading.Execute("CLIENT", "UNPAUSE");
        await Eventually.Is("it does not any more", () =>
            (status = Status(page))["lag_ms"]!.GetValue<double>() == 0 && status["consistent"]!.GetValue<bool>());
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
        process.Errors.ToString().ShouldNotContain("p\"w");
    }

    // Who waits for the page and writes then finds that as commands: a function may look for them.
    [Fact]
    public async Task StatusPage_IsThereOnceTheSourceHasBegun()
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--repl-diskless-sync-delay", "3600"]);
        await using var target = await RedisServerProcess.Start();
        await using var process = SyncProcess.Start(
            "sync", source.Uri, target.Uri, "--metrics", "http://127.0.0.1:0");
        var page = new Uri(await process.MetricsAddress(), "/");
        using var client = SyncProcess.Open(source.Uri);
        await process.Until("the source waits", () => client.Execute("INFO", "replication").Text.Contains("wait_bgsave"));

        using var http = new HttpClient();
        (await http.GetAsync(page, Cancellation)).StatusCode.ShouldBe(HttpStatusCode.NotFound);
        client.Execute("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        await process.Until("it is there", () =>
            http.Send(new HttpRequestMessage(HttpMethod.Get, page), Cancellation).StatusCode == HttpStatusCode.OK);
        client.Execute("MSET", "a", "1", "b", "2");

        await process.Until("it came as a command", () =>
            Status(page)["per_cmd_entries_count"]!["MSET"]?["write_count"]?.GetValue<long>() == 1);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static long InfoOf(Redis.Connections.RedisConnection connection, string field) => long.Parse(
        connection.Execute("INFO").Text.Split("\r\n")
            .First(line => line.StartsWith($"{field}:", StringComparison.Ordinal))[(field.Length + 1)..],
        System.Globalization.CultureInfo.InvariantCulture);

    private static JsonNode Status(Uri page)
    {
        using var client = new HttpClient();
        using var answer = client.Send(new HttpRequestMessage(HttpMethod.Get, page), Cancellation);
        return answer.StatusCode == HttpStatusCode.OK
            ? JsonNode.Parse(answer.Content.ReadAsStream(Cancellation))!
            : new JsonObject { ["consistent"] = false };
    }

    private string FileOf() => Path.Combine(_folder, "shake.toml");

    // What the verb that the file asks for would do, by `config show`.
    private async Task<(int Code, string Output, string Errors)> Show(string verb, string text)
    {
        await File.WriteAllTextAsync(FileOf(), text.Replace("FOLDER", _folder, StringComparison.Ordinal), Cancellation);
        var words = ShakeFile.WithVerb(["sync", FileOf()]);
        if (!text.Contains("only", StringComparison.Ordinal) && words[0] == verb)
            words = [words[0], "config", "show", .. words.Skip(1)];
        using var output = new StringWriter();
        using var errors = new StringWriter();
        var code = await new CommandLineProgram(SyncProgram.Create("Sync")).RunAsync(
            words,
            new CommandSurroundings
            {
                Output = output,
                Error = errors,
                Environment = new Dictionary<string, string> { ["WORD"] = "x", ["PORT"] = "9999" },
            },
            Cancellation);
        return (code, output.ToString(), errors.ToString().Replace($"{_folder}/", "", StringComparison.Ordinal));
    }

    private static Dictionary<string, string> Values(string output) => output.Split('\n')
        .Where(line => line.StartsWith("--", StringComparison.Ordinal)
            && line.Contains("shake.toml", StringComparison.Ordinal))
        .Select(line => Columns().Split(line.Trim()))
        .ToDictionary(columns => columns[0], columns => columns[1]);

    [GeneratedRegex(@"^\| [^|]+ \| (?<option>[^|]+) \| ", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex("`([a-z_]+)`")]
    private static partial Regex Word();

    [GeneratedRegex(" {2,}")]
    private static partial Regex Columns();
}
