using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>A password, given as each form of deployment gives it, is nowhere but where it belongs.</summary>
public sealed class CanaryTests : IDisposable
{
    private const string Canary = "canary-4e9b-of-services";

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-canary-").FullName;

    /// <summary>The credential of the unit, with the samples' own settings; of both servers.</summary>
    [Theory]
    [InlineData("consumer")]
    [InlineData("delay")]
    [InlineData("sync")]
    public async Task Credential_IsSeenByNobody_InWhatTheServiceSaysAndLeaves(string instance)
    {
        await using var server = await StartServer();
        await using var other = await StartServer(
            instance == "delay" ? ["--replicaof", "127.0.0.1", $"{server.Port}", "--masterauth", Canary] : []);
        var file = Path.Combine(_folder, "password");
        await File.WriteAllTextAsync(file, $"{Canary}\n", TestContext.Current.CancellationToken);
        using var manager = new ServiceManagerSocket();
        var sample = UnitSample.Read(instance);
        var settings = new Dictionary<string, string>(sample.Settings.Where(one => !one.Value.StartsWith('/')))
        {
            ["REDISLATENCY__Redis__PasswordFile"] = file,
            ["REDISLATENCY__Telemetry__Metrics"] = "http://127.0.0.1:0",
            ["REDISLATENCY__Output__Verbose"] = "true",
        };
        foreach (var (name, value) in manager.Environment(null))
            settings[name] = value;
        foreach (var name in settings.Keys.Where(name => settings[name].Contains("://", StringComparison.Ordinal)
            && !name.Contains("Telemetry", StringComparison.Ordinal)).ToList())
        {
            settings[name] = name.Contains("Destination", StringComparison.Ordinal) ? other.Uri : server.Uri;
        }

        if (instance != "consumer")
            settings["REDISLATENCY__Redis__OtherPasswordFile"] = file;

        await using var service = ServiceProcess.StartShell(
            $"exec \"$PROGRAM\" {sample.Command} --live none", settings);
        var said = await manager.Until("READY=1");
        using var client = new HttpClient();
        var pages = await client.GetStringAsync(
            await service.MetricsAddress(), TestContext.Current.CancellationToken);
        var process = $"/proc/{service.ProcessId}";
        var seen = File.ReadAllText($"{process}/cmdline") + File.ReadAllText($"{process}/environ");
        (await service.EndBy("TERM")).ShouldBe(143, service.ToString());

        string.Concat([.. said, pages, seen, service.ToString()]).ShouldNotContain(Canary);
        var written = Directory.GetFiles(service.Folder, "*", SearchOption.AllDirectories);
        written.ShouldNotBeEmpty();
        written.Where(path => File.ReadAllText(path).Contains(Canary, StringComparison.Ordinal)).ShouldBeEmpty();
    }

    /// <summary>What is applied names the Secret, and holds none.</summary>
    [Fact]
    public async Task Manifests_HoldNoSecret_AndMountItForTheProgramAlone()
    {
        foreach (var overlay in Manifests.Overlays)
        {
            var (text, _) = await Manifests.Render(overlay);

            text.ShouldNotContain("kind: Secret");
            text.ShouldNotContain("secretKeyRef");
            text.ShouldContain("secretName: redis-latency");
            text.ShouldNotMatch(@"redis(s|)://[^\s/]*@");
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static Task<RedisServerProcess> StartServer(params string[] arguments) =>
        RedisServerProcess.Start("redis-server", ["--requirepass", Canary, .. arguments]);
}
