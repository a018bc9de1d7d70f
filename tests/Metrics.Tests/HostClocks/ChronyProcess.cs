using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;

namespace RedisLatency.Metrics.Tests.HostClocks;

/// <summary>A chronyd of the test's own, with its socket and everything else in a folder of its own.</summary>
internal sealed class ChronyProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly CapturedLines _errors;

    public ChronyProcess(string configuration)
    {
        // chronyd refuses a folder that others may write to.
        Folder = Directory.CreateTempSubdirectory("redislatency-chrony-").FullName;
        var file = Path.Combine(Folder, "chrony.conf");
        File.WriteAllText(file, $"""
            bindcmdaddress 127.0.0.1
            bindcmdaddress {Folder}/chronyd.sock
            pidfile {Folder}/chronyd.pid
            {configuration}

            """);
        _process = Process.Start(new ProcessStartInfo(
            ServerRequirement.Require("chronyd"), ["-x", "-U", "-d", "-u", Environment.UserName, "-f", file])
        {
            RedirectStandardError = true,
        })!;
        _errors = new CapturedLines(_process.StandardError);
    }

    public string Folder { get; }

    /// <summary>Waits for a line that contains the text.</summary>
    public Task SaysOnce(string text) =>
        _errors.WaitFor(text);

    /// <summary>A UDP port that nobody has at the moment of asking.</summary>
    public static int FreePort()
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        Directory.Delete(Folder, recursive: true);
    }
}
