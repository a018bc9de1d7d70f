using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace RedisLatency.Fixtures;

/// <summary>A real server on a free loopback port, in a folder of its own, ended with the test.</summary>
public sealed class RedisServerProcess : IAsyncDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);

    /// <summary>What a server says once it listens, and what a Sentinel says then.</summary>
    private static readonly string[] Ready = ["Ready to accept connections", "Sentinel ID is"];

    private readonly string _program;
    private readonly Func<RedisServerProcess, IEnumerable<string>> _arguments;
    private readonly StringBuilder _log = new();
    private IReadOnlyDictionary<string, string> _environment = new Dictionary<string, string>();
    private Process? _process;

    private RedisServerProcess(
        string program, int port, Func<RedisServerProcess, IEnumerable<string>> arguments)
    {
        _program = program;
        Port = port;
        _arguments = arguments;
        Folder = Directory.CreateTempSubdirectory("redislatency-server-").FullName;
    }

    /// <summary>The plain port, also where TLS is on.</summary>
    public int Port { get; }

    /// <summary>The server's working folder; removed at the end.</summary>
    public string Folder { get; }

    /// <summary>The server's socket file.</summary>
    public string SocketPath => Path.Combine(Folder, "redis.sock");

    /// <summary>The endpoint as users type it.</summary>
    public string Uri => $"redis://127.0.0.1:{Port.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>The process, to stop or kill it by its id.</summary>
    public int ProcessId => _process!.Id;

    /// <summary>Whether it has not ended, or been killed.</summary>
    public bool IsRunning => _process is { HasExited: false };

    /// <summary>What the server has written so far.</summary>
    public string Log
    {
        get
        {
            lock (_log)
                return _log.ToString();
        }
    }

    /// <summary>Starts a server and waits until it answers; skips the test where there is no such program.</summary>
    /// <param name="program"><c>redis-server</c> or <c>valkey-server</c>.</param>
    /// <param name="arguments">More of the server's own arguments: <c>--requirepass</c>, <c>secret</c>.</param>
    public static Task<RedisServerProcess> Start(string program = "redis-server", params string[] arguments) =>
        StartWith(
            program,
            arguments.Contains("--cluster-enabled") ? FreePort.NextWithBus() : FreePort.Next(),
            server => [.. server.StandardArguments, .. arguments]);

    /// <summary>Starts one with a clock of its own.</summary>
    public static Task<RedisServerProcess> StartWithClock(SettableClock clock, params string[] arguments) =>
        StartWith("redis-server", FreePort.Next(), server =>
        {
            server._environment = clock.Environment;
            return [.. server.StandardArguments, .. arguments];
        });

    /// <summary>Starts it on a port of the caller's choice, with nothing but the arguments given.</summary>
    internal static async Task<RedisServerProcess> StartWith(
        string program, int port, Func<RedisServerProcess, IEnumerable<string>> arguments)
    {
        var server = new RedisServerProcess(ServerRequirement.RequireServer(program), port, arguments);
        try
        {
            await server.StartProcess();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Suspends the server (SIGSTOP): its sockets stay open, nothing is answered.</summary>
    public void Pause() => UnixSignal.Send(ProcessId, "STOP");

    /// <summary>Lets a paused server go on (SIGCONT).</summary>
    public void Resume() => UnixSignal.Send(ProcessId, "CONT");

    /// <summary>Ends the server at once (SIGKILL) and waits until it is gone.</summary>
    public async Task Kill()
    {
        _process!.Kill();
        await _process.WaitForExitAsync();
    }

    /// <summary>Starts it again on the same port after <see cref="Kill"/>.</summary>
    public Task Restart() => StartProcess();

    public async ValueTask DisposeAsync()
    {
        if (_process is { HasExited: false })
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }

        _process?.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    /// <summary>One port, no persistence, everything in its own folder.</summary>
    internal string[] StandardArguments =>
    [
        "--port", Port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1", "--save", "",
        "--appendonly", "no", "--unixsocket", SocketPath, "--dir", Folder, "--daemonize", "no",
        // For further replicas, which no test has, a source would wait five seconds.
        "--repl-diskless-sync-delay", "0",
    ];

    private async Task StartProcess()
    {
        var start = new ProcessStartInfo(_program)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Folder,
        };
        foreach (var argument in _arguments(this))
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in _environment)
            start.Environment[name] = value;
        var logStart = Log.Length;
        var process = new Process { StartInfo = start };
        process.OutputDataReceived += (_, line) => Append(line.Data);
        process.ErrorDataReceived += (_, line) => Append(line.Data);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        _process = process;
        await WaitUntilItListens(process, logStart);
    }

    private void Append(string? line)
    {
        lock (_log)
            _log.AppendLine(line);
    }

    // Somebody else may listen on the port before it does: only its own word that it is ready counts.
    private async Task WaitUntilItListens(Process process, int logStart)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(StartLimit.TotalSeconds * Stopwatch.Frequency);
        while (Stopwatch.GetTimestamp() < deadline && !process.HasExited)
        {
            var said = Log[logStart..];
            if (Ready.Any(word => said.Contains(word, StringComparison.Ordinal)))
                return;
            await Task.Delay(10);
        }

        // Its last words arrive after its end is known.
        if (process.HasExited)
            await process.WaitForExitAsync();
        var end = process.HasExited
            ? $"ended with exit code {process.ExitCode}"
            : $"was not ready after {StartLimit.TotalSeconds} s";
        throw new InvalidOperationException(
            $"{_program} {end} instead of listening on port {Port}: start it by hand to see why.\n{Log}");
    }
}
