using System.Diagnostics;
using System.Globalization;

namespace RedisLatency.Fixtures;

/// <summary>A built service, run as users run it: in a process, with both outputs captured.</summary>
/// <remarks>
/// It is a verb of <see cref="BuiltProgram"/>. Nothing of the caller's own <c>REDISLATENCY_…</c> and
/// <c>REDISCLI_AUTH</c> settings reaches it. Its working folder is a new one, removed at the end, so that default
/// results folders leave nothing behind.
/// </remarks>
public sealed class ServiceProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly CancellationTokenSource _limit = new();

    private ServiceProcess(Process process, string folder)
    {
        _process = process;
        Folder = folder;
        Output = new CapturedLines(process.StandardOutput);
        Errors = new CapturedLines(process.StandardError);
    }

    /// <summary>
    /// Longer than any of this takes, however busy the machine is: only against hangs. A row of the self-test takes 40 s,
    /// and took three times as long where others used the machine's processors.
    /// </summary>
    public static TimeSpan LimitAgainstHangs { get; } = TimeSpan.FromMinutes(5);

    /// <summary>What it prints.</summary>
    public CapturedLines Output { get; }

    /// <summary>What it says on standard error.</summary>
    public CapturedLines Errors { get; }

    /// <summary>Its working folder, unless another was given.</summary>
    public string Folder { get; }

    /// <summary>The process, to stop or kill it by its id.</summary>
    public int ProcessId => _process.Id;

    /// <summary>Whether it is over.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>Starts a service.</summary>
    /// <param name="project">The folder below <c>src</c>: <c>Consumer</c>.</param>
    /// <param name="arguments">What the user types after the name.</param>
    public static ServiceProcess Start(string project, params string[] arguments) =>
        Start(project, new Dictionary<string, string>(), arguments);

    /// <summary>Starts a service with environment variables of its own.</summary>
    public static ServiceProcess Start(
        string project, IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        StartProgram(BuiltProgram.Path, [.. BuiltProgram.VerbOf(project), .. arguments], environment);

    /// <summary>Starts a service in a time namespace whose monotonic clock is ahead by so many seconds.</summary>
    public static ServiceProcess StartAhead(int seconds, string project, params string[] arguments) => StartProgram(
        "unshare",
        [
            "--time", "--monotonic", seconds.ToString(CultureInfo.InvariantCulture), "--fork", "--kill-child",
            BuiltProgram.Path, .. BuiltProgram.VerbOf(project), .. arguments,
        ],
        new Dictionary<string, string>());

    /// <summary>
    /// Starts a shell script that runs services, <c>"$PROGRAM" producer</c>; for pipes, limits, and files that must be
    /// in the working folder before.
    /// </summary>
    public static ServiceProcess StartShell(string script, IReadOnlyDictionary<string, string>? environment = null) =>
        StartProgram("sh", ["-c", script], new Dictionary<string, string>(environment?.ToDictionary() ?? [])
        {
            ["PROGRAM"] = BuiltProgram.Path,
        });

    /// <summary>Starts a program that is none of ours by itself: a script of the repository.</summary>
    public static ServiceProcess StartScript(string path, params string[] arguments) =>
        StartProgram(path, arguments, new Dictionary<string, string>());

    /// <summary>Sends a signal by its name: <c>TERM</c>, <c>INT</c>, <c>STOP</c>, <c>KILL</c>.</summary>
    public void Signal(string name)
    {
        UnixSignal.Send(ProcessId, name);
    }

    /// <summary>Waits for the end and reads both outputs to theirs.</summary>
    /// <returns>The exit code, 128 + n where signal n ended it.</returns>
    public async Task<int> End()
    {
        _limit.CancelAfter(LimitAgainstHangs);
        try
        {
            await _process.WaitForExitAsync(_limit.Token);
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"It did not end.\n{this}");
        }

        await Task.WhenAll(Output.End, Errors.End);
        return _process.ExitCode;
    }

    /// <summary>Sends a signal and waits for the end.</summary>
    public Task<int> EndBy(string signal)
    {
        Signal(signal);
        return End();
    }

    /// <summary>Where its metrics are (<c>--metrics</c>), once they are served.</summary>
    public async Task<Uri> MetricsAddress()
    {
        var line = await Errors.WaitFor("Metrics are at ");
        return new Uri(line["Metrics are at ".Length..].TrimEnd('.'));
    }

    /// <summary>Both outputs so far, for the message of a failed assertion.</summary>
    public override string ToString() => $"standard output:\n{Output}\nstandard error:\n{Errors}";

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
        _limit.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    /// <summary>Gives a process nothing of the tests' own settings, and all of its streams to the tests.</summary>
    internal static void Redirect(ProcessStartInfo start, IReadOnlyDictionary<string, string> environment)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        foreach (var name in start.Environment.Keys.Where(IsOurs).ToList())
            start.Environment.Remove(name);
        // What is tested of texts is mostly not on the first screen, which has tests of its own.
        start.Environment["REDISLATENCY__Output__Details"] = "true";
        start.Environment["REDISLATENCY__Show__Details"] = "true";
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
    }

    private static ServiceProcess StartProgram(
        string program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment)
    {
        var path = program.Contains('/', StringComparison.Ordinal) ? program : ServerRequirement.Require(program);
        var folder = Directory.CreateTempSubdirectory("redislatency-service-").FullName;
        var start = InheritedSignals.Start(path, arguments);
        Redirect(start, environment);
        start.WorkingDirectory = folder;
        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return new ServiceProcess(process, folder);
    }

    private static bool IsOurs(string name) =>
        name.StartsWith("REDISLATENCY", StringComparison.OrdinalIgnoreCase) || name is "REDISCLI_AUTH";
}
