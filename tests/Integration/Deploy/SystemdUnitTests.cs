using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The unit of the Consumer is understood, strict, and not stricter than the program and clocks bear.</summary>
public sealed class SystemdUnitTests : IDisposable
{
    private const string Name = "redis-latency-consumer.service";
    private const string Analyzer = "systemd-analyze";
    private const string Program = "/opt/redis-latency/redis-latency";

    private static readonly string Unit = File.ReadAllText(RepositoryRoot.Combine("deploy", "systemd", Name));

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
        var (code, output) = await Analyze("security", "--offline=true", "--threshold=30", "--no-pager");

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

    [Fact]
    public async Task Command_OfTheUnit_HasOnlyOptionsThatTheToolHas()
    {
        var command = Value("ExecStart").Split(' ');

        command[0].ShouldBe(Program);
        await BuiltTool.ShouldHaveTheOptionsOf(command[1..]);
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
        var credential = Value("LoadCredential").Split(':')[0];
        Value("SetCredential").ShouldBe($@"{credential}:\n");
        var (name, value) = Settings().Where(line => line.StartsWith("Environment=", StringComparison.Ordinal))
            .Select(line => line.Split('=')).Select(words => (words[1], words[2]))
            .Single(variable => variable.Item2.StartsWith("%d/", StringComparison.Ordinal));
        value.ShouldBe($"%d/{credential}");
        await File.WriteAllTextAsync(
            Path.Combine(_folder, credential), password + "\n", TestContext.Current.CancellationToken);

        await using var consumer = ServiceProcess.Start(
            "Consumer",
            new Dictionary<string, string> { [name] = value.Replace("%d", _folder, StringComparison.Ordinal) },
            "--redis", server.Uri);

        await consumer.Errors.WaitFor("Serving");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Value(string directive) =>
        Settings().Single(line => line.StartsWith(directive + '=', StringComparison.Ordinal))[(directive.Length + 1)..];

    private static IEnumerable<string> Settings() => Unit.Split('\n').Where(line => !line.StartsWith('#'));

    private async Task<(int Code, string Output)> Analyze(params string[] arguments)
    {
        Assert.SkipWhen(ServerRequirement.Find(Analyzer) is null, $"{Analyzer} is not on the PATH.");
        var file = Path.Combine(_folder, Name);
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
