using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using RedisLatency.Fixtures;
using Xunit.Sdk;

namespace RedisLatency.Containers.Servers;

/// <summary>No engine, or none that can be used: a line that says what to do, and nobody waits.</summary>
public sealed class EngineProblemTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(0.2);
    private static readonly TimeSpan AgainstHangs = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-engine-").FullName;

    private string File => Path.Combine(_folder, "socket");

    [Fact]
    public void Socket_ThatIsNotThere_IsNamed() =>
        ContainerEngine.ProblemAt($"unix://{File}", AgainstHangs).ShouldNotBeNull().ShouldBe(
            $"No container engine is at unix://{File}: start it, or correct DOCKER_HOST.");

    [Fact]
    public void Socket_ThatNobodyListensOn_IsNamed()
    {
        // A socket takes the file that it has made along, and not one of another name.
        var left = File + "-left";
        using (Listen())
            System.IO.File.Move(File, left);

        ContainerEngine.ProblemAt($"unix://{left}", AgainstHangs).ShouldNotBeNull().ShouldBe(
            $"No container engine answers at unix://{left} (Connection refused): start it, or correct DOCKER_HOST.");
    }

    [Fact]
    public void Engine_ThatNeverAnswers_IsNotWaitedFor()
    {
        using var listener = Listen();

        ContainerEngine.ProblemAt($"unix://{File}", Short).ShouldBe(
            $"The container engine at unix://{File} does not answer within 0.2 s: restart it.");
    }

    [Fact]
    public void Engine_ThatNeverAnswersOnAPort_IsNotWaitedFor()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var address = $"tcp://127.0.0.1:{((IPEndPoint)listener.LocalEndPoint!).Port}";

        ContainerEngine.ProblemAt(address, Short).ShouldBe(
            $"The container engine at {address} does not answer within 0.2 s: restart it.");
    }

    [Fact]
    public void Socket_WithoutRights_SaysHowToGetThem()
    {
        if (!OperatingSystem.IsLinux())
            throw SkipException.ForSkip("Rights of a socket are Linux's here.");
        using var listener = Listen();
        System.IO.File.SetUnixFileMode(File, UnixFileMode.None);
        const uint Nobody = 65534;
        string? problem = null;

        // Root may use any; the thread does not come back to others.
        var thread = new Thread(() =>
        {
            _ = SetFileUser(Nobody);
            problem = ContainerEngine.ProblemAt($"unix://{File}", AgainstHangs);
        });
        thread.Start();
        thread.Join();

        problem.ShouldBe(
            $"This user may not use the container engine at unix://{File}: add the user to the socket's group "
            + "(usermod -aG docker USER, and log in again), or run an engine of the user's own.");
    }

    [Fact]
    public async Task Answer_OfAnotherProgram_IsNoEngine()
    {
        using var listener = Listen();
        var answering = Task.Run(
            async () =>
            {
                using var one = await listener.AcceptAsync();
                await one.ReceiveAsync(new byte[100]);
                await one.SendAsync("-ERR unknown command\r\n"u8.ToArray());
            },
            TestContext.Current.CancellationToken);

        ContainerEngine.ProblemAt($"unix://{File}", AgainstHangs).ShouldBe(
            $"What answers at unix://{File} is no container engine: start it, or correct DOCKER_HOST.");
        await answering;
    }

    // The tests themselves, where there is no engine.
    [Theory]
    [InlineData("0", 0, "skipped")]
    [InlineData("1", 2, "failed")]
    public async Task Tests_WithoutAnEngine_SkipAndFailWhereItMustBeThere(string isStrict, int exitCode, string outcome)
    {
        await using var tests = ServiceProcess.StartScript(
            "env", $"DOCKER_HOST=unix://{File}", $"REDISLATENCY_TEST_REQUIRE_SERVERS={isStrict}", "dotnet",
            typeof(ContainerTest).Assembly.Location, "--filter-class", "*.PairTests", "--progress", "off",
            "--output", "Detailed", "--no-ansi");

        (await tests.End()).ShouldBe(exitCode, tests.ToString());

        tests.Output.ToString().ShouldContain($"{outcome} RedisLatency.Containers.Jobs.PairTests");
        tests.Output.ToString().ShouldContain($"No container engine is at unix://{File}: ");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private Socket Listen()
    {
        var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(File));
        listener.Listen();
        return listener;
    }

    [DllImport("libc", EntryPoint = "setfsuid")]
    private static extern int SetFileUser(uint user);
}
