using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>What machines of clouds are given: cloud-init takes it, and it installs an instance.</summary>
public sealed class CloudMachineTests : IDisposable
{
    private const string Archive = "https://files.example/redis-latency-linux-x64.tar.gz";
    private const UnixFileMode OwnersAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private static readonly string NoSum = new('0', 64);

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-machine-").FullName;

    public static TheoryData<string, string> Machines => CloudMachines.All;

    [Theory]
    [MemberData(nameof(Machines))]
    public async Task CloudInit_TakesIt(string cloud, string role) =>
        (await ProblemOfCloudInit((await CloudMachines.Of(cloud, role)).Text)).ShouldBeNull();

    [Theory]
    [InlineData("permissions:", "permisions:", "permisions")]
    [InlineData("packages: [", "packages: [[]], [", "yaml")]
    [InlineData("runcmd:\n  - |", "runcmd: |", "runcmd")]
    public async Task CloudInit_FindsAFault(string right, string wrong, string named)
    {
        var text = (await CloudMachines.Of("aws", "consumer")).Text;
        text.ShouldContain(right);

        (await ProblemOfCloudInit(text.Replace(right, wrong, StringComparison.Ordinal)))
            .ShouldNotBeNull().ShouldContain(named);
    }

    [Theory]
    [MemberData(nameof(Machines))]
    public async Task Instance_IsACommandOfTheProgram(string cloud, string role)
    {
        var (command, settings) = (await CloudMachines.Of(cloud, role)).Instance;

        command.ShouldStartWith(role);
        (await BuiltTool.ProblemWith(settings, command.Split(' '))).ShouldBeNull();
        (await BuiltTool.ProblemWith(settings, [.. command.Split(' '), "--probes=udp://10.0.0.1:1"]))
            .ShouldNotBeNull().ShouldContain("--probes");
        (await BuiltTool.ProblemWith(
            new Dictionary<string, string>(settings) { ["REDISLATENCY__Run__Nam"] = "pair" }, command.Split(' ')))
            .ShouldNotBeNull().ShouldContain("Nam");
    }

    /// <summary>In a mount namespace of its own, with an archive as <c>deploy/archives</c> makes it.</summary>
    [Theory]
    [MemberData(nameof(Machines))]
    public async Task Start_InstallsTheProgram_AndKeepsThePasswordInOneFile(string cloud, string role)
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "A mount namespace needs root.");
        ServerRequirement.Require("curl");
        ServerRequirement.Require("python3");
        var machine = await CloudMachines.Of(cloud, role);
        var archive = await MakeArchive();
        foreach (var (path, mode, content) in machine.Files)
            Write($"root{path}", content, mode);
        Write("start", machine.Script.Replace(Archive, $"file://{archive.Path}").Replace(NoSum, archive.Sum));

        var said = await InNamespace("sh start");

        var kept = Path.Combine(_folder, "kept");
        var password = Path.Combine(kept, "etc", "redis-latency", $"{role}.password");
        File.ReadAllText(password).ShouldBe(cloud == "aws" ? $"{CloudMachines.Canary} of redis-latency\n" : "\n");
        new FileInfo(password).UnixFileMode.ShouldBe(OwnersAlone);
        new FileInfo(Path.GetDirectoryName(password)!).UnixFileMode.ShouldBe(OwnersAlone | UnixFileMode.UserExecute);
        new FileInfo(Path.ChangeExtension(password, "env")).UnixFileMode.ShouldBe(OwnersAlone);
        File.ReadAllText(Path.Combine(kept, "opt", "redis-latency", "redis-latency")).ShouldBe("program\n");
        File.Exists(Path.Combine(kept, "etc", "systemd", "system", "redis-latency@.service")).ShouldBeTrue();
        File.ReadAllLines(Path.Combine(_folder, "asked"))[^3..].ShouldBe(
            ["restart chrony", "daemon-reload", $"enable --now --no-block redis-latency@{role}"]);
        said.ShouldNotContain(CloudMachines.Canary);
        Directory.EnumerateFiles(kept, "*", SearchOption.AllDirectories).Where(file => file != password)
            .Where(file => File.ReadAllText(file).Contains(CloudMachines.Canary)).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("azure", "refclock PHC /dev/ptp_hyperv ")]
    [InlineData("aws", "server 169.254.169.123 ", "refclock PHC /dev/ptp_ena ")]
    public async Task Start_LeavesChronyTheClocksThatAreThere(string cloud, params string[] clocks)
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "A mount namespace needs root.");
        var machine = await CloudMachines.Of(cloud, "consumer");
        var (path, mode, content) = machine.Files.Single(file => file.Path.EndsWith("/cloud.conf"));
        Write($"root{path}", content, mode);
        // Up to where chronyd starts again.
        Write("start", machine.Script.Split("systemctl")[0]);

        await InNamespace("sh start");

        content.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(clocks.Length);
        var left = File.ReadAllText(Path.Combine(_folder, "kept", path[1..]));
        foreach (var clock in clocks)
        {
            content.ShouldContain(clock);
            var isThere = !clock.Contains("/dev/") || File.Exists(clock.Split(' ')[2]);
            left.Contains(clock).ShouldBe(isThere, clock);
        }
    }

    [Fact]
    public async Task Start_WithAnotherArchiveThanWasAsked_InstallsNothing()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "A mount namespace needs root.");
        ServerRequirement.Require("curl");
        var machine = await CloudMachines.Of("azure", "consumer");
        foreach (var (path, mode, content) in machine.Files)
            Write($"root{path}", content, mode);
        Write("start", machine.Script.Replace(Archive, $"file://{(await MakeArchive()).Path}"));

        var said = await InNamespace("! sh start");

        said.ShouldContain("WARNING: 1 computed checksum did NOT match");
        Directory.Exists(Path.Combine(_folder, "kept", "opt", "redis-latency")).ShouldBeFalse();
        File.ReadAllText(Path.Combine(_folder, "asked")).ShouldNotContain("enable");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<string?> ProblemOfCloudInit(string text)
    {
        ServerRequirement.Require("cloud-init");
        Write("user-data", text);
        await using var cloudInit = ServiceProcess.StartScript(
            "cloud-init", "schema", "--config-file", Path.Combine(_folder, "user-data"));
        return await cloudInit.End() == 0 ? null : cloudInit.ToString();
    }

    private async Task<(string Path, string Sum)> MakeArchive()
    {
        await using var made = ServiceProcess.StartShell($"""
            set -e
            cd '{_folder}'
            mkdir redis-latency-0.1
            echo program >redis-latency-0.1/redis-latency
            cp -r '{RepositoryRoot.Combine("deploy", "systemd")}' redis-latency-0.1/
            tar -czf archive redis-latency-0.1
            sha256sum archive
            """);
        (await made.End()).ShouldBe(0, made.ToString());
        return (Path.Combine(_folder, "archive"), made.Output.ToString().Split(' ')[0]);
    }

    // With a systemctl that notes what it is asked, and Amazon's library for secrets.
    private async Task<string> InNamespace(string command)
    {
        const UnixFileMode Program = OwnersAlone | UnixFileMode.UserExecute;
        Write("bin/systemctl", $"#!/bin/sh\necho \"$*\" >>'{_folder}/asked'\n", Program);
        Write("bin/udevadm", "#!/bin/sh\n", Program);
        Write("lib/boto3.py", $$"""
            class client:
                def __init__(self, service, region):
                    assert (service, region) == ("secretsmanager", "eu-west-1")
                def get_secret_value(self, SecretId):
                    return {"SecretString": "{{CloudMachines.Canary}} of " + SecretId}
            """);
        Write("inside", $"""
            set -e
            mount -t tmpfs tmpfs /mnt
            mkdir /mnt/etc /mnt/work '{_folder}/kept'
            mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/etc,workdir=/mnt/work /etc
            mount -t tmpfs tmpfs /opt
            mount -t tmpfs tmpfs /var/tmp
            cp -a '{_folder}/root/.' /
            (cd '{_folder}' && {command})
            cd /
            for file in etc/redis-latency etc/chrony/conf.d etc/systemd/system/redis-latency* opt var/tmp; do
                [ ! -e $file ] || cp -a --parents $file '{_folder}/kept'
            done
            """);
        await using var start = ServiceProcess.StartShell(
            $"PATH='{_folder}/bin':$PATH exec unshare --mount sh '{_folder}/inside'",
            new Dictionary<string, string> { ["PYTHONPATH"] = Path.Combine(_folder, "lib") });
        (await start.End()).ShouldBe(0, start.ToString());
        return start.ToString();
    }

    private void Write(string name, string content, UnixFileMode mode = OwnersAlone)
    {
        var path = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, content);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, mode);
    }
}
