using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The unit is understood, strict, and not stricter than the program and clocks bear.</summary>
public sealed class SystemdUnitTests : IDisposable
{
    private const string Template = "redis-latency@.service";
    private const string Instance = "redis-latency@consumer.service";
    private const string Analyzer = "systemd-analyze";
    private const string Program = "/opt/redis-latency/redis-latency";

    private static readonly string Unit = File.ReadAllText(RepositoryRoot.Combine("deploy", "systemd", Template));

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-unit-").FullName;

    [Fact]
    public async Task Unit_IsUnderstoodWithoutARemark()
    {
        // The analyzer ends with 0 on a key or value that it does not know, but says so.
        var (code, output) = await Analyze("verify", "--man=no");

        output.ShouldBeEmpty();
        code.ShouldBe(0);
    }

    [Fact]
    public async Task Unit_IsExposedAsLittleAsAServiceWithANetworkCanBe()
    {
        var (code, output) = await Analyze("security", "--offline=true", "--threshold=20", "--no-pager");

        code.ShouldBe(0, output);
    }

    [Theory]
    [InlineData("ProtectClock", "it denies reading the kernel's clock error")]
    [InlineData("ProcSubset", "it hides the boot id")]
    [InlineData("PrivateNetwork", "there is a network to measure")]
    public void Unit_DoesNotSetWhatBreaksIt(string directive, string why) =>
        Settings().ShouldNotContain(line => line.StartsWith(directive + '=', StringComparison.Ordinal), why);

    [Fact]
    public void Unit_AllowsReadingTheKernelsClockError() =>
        Settings().ShouldContain(line =>
            line.StartsWith("SystemCallFilter=", StringComparison.Ordinal) && line.Contains(" adjtimex"));

    /// <summary>Which the program says itself: it knows no setting but those of its options.</summary>
    [Theory]
    [MemberData(nameof(Instances))]
    public async Task Samples_HaveOnlyCommandsOptionsAndSettingsThatTheProgramHas(string instance)
    {
        var sample = UnitSample.Read(instance, withProposals: true);
        var command = Value("ExecStart").Replace("$COMMAND", sample.Command, StringComparison.Ordinal).Split(' ');
        command[0].ShouldBe(Program);
        var settings = new Dictionary<string, string>(sample.Settings) { [Password().Name] = Password().Value };

        (await BuiltTool.ProblemWith(settings, command[1..])).ShouldBeNull();
        settings["REDISLATENCY__Redis__Passwordfile2"] = "any";
        (await BuiltTool.ProblemWith(settings, command[1..])).ShouldNotBeNull();
    }

    [Theory]
    [MemberData(nameof(Instances))]
    public void Samples_NameTheCredentialsOfTheirOwnInstance(string instance)
    {
        var folder = $"/run/credentials/redis-latency@{instance}.service/";

        UnitSample.Read(instance).Settings
            .Where(setting => setting.Key.EndsWith("PasswordFile", StringComparison.Ordinal))
            .ShouldAllBe(setting => Credentials().Select(name => folder + name).Contains(setting.Value));
    }

    // MemoryDenyWriteExecute, by the kernel's own means: prctl(PR_SET_MDWE).
    [Fact]
    public async Task Consumer_ServesWhereNoMemoryBecomesExecutable()
    {
        Assert.SkipUnless(BuiltProgram.IsNative, "What is compiled while it runs dies of it.");
        ServerRequirement.Require("python3");
        await using var server = await RedisServerProcess.Start("redis-server");

        await using var consumer = ServiceProcess.StartShell($"""
            exec python3 -c 'import ctypes, os, sys
            ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) and sys.exit("Linux 6.3 is needed.")
            os.execv(sys.argv[1], sys.argv[1:])' "$PROGRAM" consumer --redis {server.Uri}
            """);

        await consumer.Errors.WaitFor("Serving");
    }

    // What systemd makes of the two lines: the file of the administrator, or else an empty line.
    [Theory]
    [InlineData("secret")]
    [InlineData(null)]
    public async Task Password_IsTheCredential_AndNoneWithoutItsFile(string? password)
    {
        await using var server = await RedisServerProcess.Start(
            "redis-server", password is null ? [] : ["--requirepass", password]);
        var (name, value) = Password();
        var credential = value["%d/".Length..];
        Credentials().ShouldContain(credential);
        await File.WriteAllTextAsync(
            Path.Combine(_folder, credential), password + "\n", TestContext.Current.CancellationToken);

        await using var consumer = ServiceProcess.Start(
            "Consumer",
            new Dictionary<string, string> { [name] = value.Replace("%d", _folder, StringComparison.Ordinal) },
            "--redis", server.Uri);

        await consumer.Errors.WaitFor("Serving");
    }

    [Fact]
    public void Credentials_AreOfTheInstance_AndEmptyWithoutTheirFile()
    {
        Values("LoadCredential").ShouldBe(Credentials().Select(name => $"{name}:/etc/redis-latency/%i.{name}"));
        Values("SetCredential").ShouldBe(Credentials().Select(name => $@"{name}:\n"));
    }

    [Fact]
    public async Task Install_PutsAnInstanceThere_KeepsItsFile_AndIsUndone()
    {
        var root = Path.Combine(_folder, "root");
        await Script("""
            mkdir -p redis-latency-0.1 root/etc/systemd/system/multi-user.target.wants
            echo program >redis-latency-0.1/redis-latency
            tar -czf archive redis-latency-0.1
            "$INSTALL" archive consumer sync
            echo COMMAND=mine >root/etc/redis-latency/consumer.env
            "$INSTALL" archive consumer
            ln -s any root/etc/systemd/system/multi-user.target.wants/redis-latency@consumer.service
            """);

        File.ReadAllText($"{root}/etc/redis-latency/consumer.env").ShouldBe("COMMAND=mine\n");
        File.ReadAllText($"{root}/etc/systemd/system/{Template}").ShouldBe(Unit);
        File.ReadAllText($"{root}/opt/redis-latency/redis-latency").ShouldBe("program\n");
        new FileInfo($"{root}/etc/redis-latency/sync.env").UnixFileMode
            .ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite);

        await Script("\"$REMOVE\"");
        Left().ShouldBe(["etc/redis-latency/consumer.env", "etc/redis-latency/sync.env"], ignoreOrder: true);
        await Script("\"$REMOVE\" --purge");
        Left().ShouldBeEmpty();

        IEnumerable<string> Left() => Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(root, file));
    }

    public static TheoryData<string> Instances() => [.. UnitSample.Instances];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // The setting by which the program finds the password that every instance may have.
    private static (string Name, string Value) Password() => Values("Environment")
        .Select(line => line.Split('=')).Select(words => (words[0], words[1]))
        .Single(variable => variable.Item2.StartsWith("%d/", StringComparison.Ordinal));

    private static IEnumerable<string> Credentials() => Values("LoadCredential").Select(line => line.Split(':')[0]);

    private static string Value(string directive) => Values(directive).Single();

    private static IEnumerable<string> Values(string directive) => Settings()
        .Where(line => line.StartsWith(directive + '=', StringComparison.Ordinal))
        .Select(line => line[(directive.Length + 1)..]);

    private static IEnumerable<string> Settings() => Unit.Split('\n').Where(line => !line.StartsWith('#'));

    // In the folder of the test, with its root.
    private async Task Script(string script)
    {
        var environment = new Dictionary<string, string>
        {
            ["DESTDIR"] = Path.Combine(_folder, "root"),
            ["INSTALL"] = RepositoryRoot.Combine("deploy", "systemd", "install"),
            ["REMOVE"] = RepositoryRoot.Combine("deploy", "systemd", "remove"),
        };
        await using var shell = ServiceProcess.StartShell($"set -e; cd '{_folder}'\n{script}", environment);
        (await shell.End()).ShouldBe(0, shell.ToString());
    }

    private async Task<(int Code, string Output)> Analyze(params string[] arguments)
    {
        Assert.SkipWhen(ServerRequirement.Find(Analyzer) is null, $"{Analyzer} is not on the PATH.");
        // It says more of an instance than of the template.
        var file = Path.Combine(_folder, Instance);
        // The program is not installed here.
        await File.WriteAllTextAsync(
            file, Unit.Replace(Program, "/bin/true", StringComparison.Ordinal));
        using var process = Process.Start(new ProcessStartInfo(Analyzer, [.. arguments, file])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (process.ExitCode, output + await errors);
    }
}
