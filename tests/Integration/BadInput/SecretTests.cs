using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.BadInput;

/// <summary>A password is nowhere: not in what is printed or kept, not among a process's arguments.</summary>
public sealed class SecretTests : IAsyncLifetime
{
    // What must be escaped in a URI shows whether the escaped form is hidden too.
    // Parts so long that the interval log, which is in base64, does not have them by chance.
    private const string Canary = "c4nary/pa55w0rd:x";

    private RedisServerProcess _server = null!;

    public async ValueTask InitializeAsync()
    {
        _server = await RedisServerProcess.Start("redis-server", "--requirepass", Canary);
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("environment", "text")]
    [InlineData("file", "json")]
    [InlineData("uri", "csv")]
    [InlineData("connection string", "text")]
    [InlineData("setting", "json")]
    public async Task Password_WhereverItCameFrom_IsShownNowhere(string source, string format)
    {
        var port = _server.Port.ToString(CultureInfo.InvariantCulture);
        var uri = $"redis://:{Uri.EscapeDataString(Canary)}@127.0.0.1:{port}";
        var file = Path.Combine(_server.Folder, "password");
        await File.WriteAllTextAsync(file, Canary + "\n", TestContext.Current.CancellationToken);
        var (environment, arguments) = source switch
        {
            "environment" => (new Dictionary<string, string> { ["REDISCLI_AUTH"] = Canary }, ["--redis", _server.Uri]),
            "file" => ([], ["--redis", _server.Uri, "--password-file", file]),
            "uri" => ([], ["--redis", uri]),
            "setting" => (new Dictionary<string, string> { ["REDISLATENCY__Redis__Endpoint"] = uri }, []),
            _ => (new Dictionary<string, string>(), new[] { "--redis", $"127.0.0.1:{port},password={Canary}" }),
        };

        await using var consumer = ServiceProcess.Start("Consumer", environment, [.. arguments, "--verbose"]);
        await consumer.Errors.WaitFor("Serving ");
        await using var producer = ServiceProcess.Start(
            "Producer",
            environment,
            [.. arguments, "--rate", "0", "--iterations", "200", "--warmup", "0", "--verbose", "--format", format]);
        if (source is "environment" or "file" or "setting")
            ShouldHaveNoCanary(await CommandLineOf(consumer));

        (await producer.End()).ShouldBe(0, producer.ToString());
        (await consumer.EndBy("TERM")).ShouldBe(143, consumer.ToString());
        foreach (var service in (ServiceProcess[])[producer, consumer])
        {
            ShouldHaveNoCanary(service.ToString());
            var files = Directory.GetFiles(service.Folder, "*", SearchOption.AllDirectories);
            files.Length.ShouldBeGreaterThan(1);
            foreach (var path in files)
                ShouldHaveNoCanary(await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken));
        }
    }

    /// <summary>To these tools the word alone before the @ is the password.</summary>
    [Theory]
    [InlineData("redis-benchmark", "-u", "-t", "get", "-n", "10")]
    [InlineData("memtier", "-u", "-t", "1", "-c", "1", "-n", "10", "--json-out-file", "out.json")]
    public async Task PasswordAloneInAUri_OfAnotherTool_LogsIn_AndIsShownNowhere(
        string tool, string option, params string[] more)
    {
        await using var load = ServiceProcess.Start("Workloads", [tool, option, UriOfUser(""), .. more]);

        (await load.End()).ShouldBe(0, load.ToString());

        ShouldHaveNoCanary(load.ToString());
        foreach (var path in Directory.GetFiles(load.Folder, "*", SearchOption.AllDirectories))
            ShouldHaveNoCanary(await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken));
    }

    /// <summary>What is a user's name by its place may be a password.</summary>
    [Theory]
    [InlineData("", "Producer", "check")]
    [InlineData("", "Producer", "--verbose")]
    [InlineData(":another", "Producer", "check")]
    [InlineData("", "Consumer", "--verbose")]
    [InlineData("", "Workloads", "run", "--records", "10", "--verbose")]
    [InlineData(":another", "Workloads", "redis-benchmark", "-n", "10", "-u")]
    [InlineData("", "Replication", "delay", "--destination", "127.0.0.1:1", "--source")]
    [InlineData("", "Sync", "scan", "--destination", "127.0.0.1:1", "--source")]
    public async Task PasswordInThePlaceOfAUser_IsShownNowhere(string password, string project, params string[] words)
    {
        string[] line = words[^1] is "-u" or "--source" ? words : [.. words, "--redis"];

        await using var process = ServiceProcess.Start(project, [.. line, UriOfUser(password)]);

        (await process.End()).ShouldBe(3, process.ToString());
        ShouldHaveNoCanary(process.ToString());
    }

    [Theory]
    [InlineData("run", "--command", $"AUTH bob {Canary}=1")]
    [InlineData("run", "--command", $"CONFIG SET requirepass {Canary}")]
    [InlineData("run", "--command", $"AUTH bob {Canary} __nothing__=1")]
    [InlineData("redis-benchmark", "AUTH", "bob", Canary)]
    [InlineData("redis-benchmark", "ACL", "SETUSER", "bob", $">{Canary}")]
    [InlineData("memtier", "--command", $"HELLO 3 AUTH bob {Canary}")]
    [InlineData("scenario", "passwords.json")]
    public async Task CommandWithAPassword_IsRefused_WithoutIt(params string[] line)
    {
        var file = Path.Combine(_server.Folder, "passwords.json");
        const string Scenario = $$$"""{"name":"one","phases":[{"name":"a","options":{"command":["AUTH bob {{{Canary}}}"]}}]}""";
        await File.WriteAllTextAsync(file, Scenario, TestContext.Current.CancellationToken);

        await using var load = ServiceProcess.Start(
            "Workloads", [.. line.Select(word => word.EndsWith(".json", StringComparison.Ordinal) ? file : word)]);

        (await load.End()).ShouldBe(2, load.ToString());
        ShouldHaveNoCanary(load.ToString());
        load.Errors.ToString().ShouldContain(line.Contains($"AUTH bob {Canary} __nothing__=1")
            ? "'__nothing__' is no placeholder"
            : "there is a password in it");
    }

    private string UriOfUser(string password) => string.Create(
        CultureInfo.InvariantCulture, $"redis://{Uri.EscapeDataString(Canary)}{password}@127.0.0.1:{_server.Port}");

    private static Task<string> CommandLineOf(ServiceProcess process) => File.ReadAllTextAsync(
        $"/proc/{process.ProcessId.ToString(CultureInfo.InvariantCulture)}/cmdline",
        TestContext.Current.CancellationToken);

    private static void ShouldHaveNoCanary(string text)
    {
        foreach (var form in (string[])[Canary, Uri.EscapeDataString(Canary), "c4nary", "pa55w0rd"])
            text.ShouldNotContain(form);
    }
}
