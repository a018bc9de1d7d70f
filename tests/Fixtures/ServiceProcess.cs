using System.Diagnostics;
using System.Globalization;

namespace RedisLatency.Fixtures;

/// <summary>A built service, run as users run it: in a process, with both outputs captured.</summary>
/// <remarks>
/// The test project must reference the service's project, and <c>tests/ServiceHost</c>, so that they are built, in the
/// same configuration, before the test runs. Nothing of the caller's own <c>REDISLATENCY_…</c> and
/// <c>REDISCLI_AUTH</c> settings reaches it. Its working folder is a new one, removed at the end, so that default
/// results folders leave nothing behind.
/// </remarks>
public sealed class ServiceProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly ServiceHost? _host;
    private readonly CancellationTokenSource _limit = new();
    private readonly List<string> _signals = [];

    private ServiceProcess(Process process, string folder, ServiceHost? host = null)
    {
        _process = process;
        _host = host;
        Folder = folder;
        Func<string, bool>? isLast = host is null ? null : line => line.StartsWith(ServiceHost.EndOfRun);
        Output = new CapturedLines(process.StandardOutput, isLast);
        Errors = new CapturedLines(process.StandardError, isLast);
    }

    /// <summary>
    /// Longer than any of this takes, however busy the machine is: only against hangs. A row of the self-test takes 40 s,
    /// and took three times as long where others used the machine's processors.
    /// </summary>
    public static TimeSpan LimitAgainstHangs { get; } = TimeSpan.FromMinutes(5);

    private static readonly TimeSpan LongestFarewell = TimeSpan.FromSeconds(5);

    /// <summary>What it prints.</summary>
    public CapturedLines Output { get; }

    /// <summary>What it says on standard error.</summary>
    public CapturedLines Errors { get; }

    /// <summary>Its working folder, unless another was given.</summary>
    public string Folder { get; }

    /// <summary>The process, to stop or kill it by its id.</summary>
    public int ProcessId => _process.Id;

    /// <summary>Whether it is over.</summary>
    public bool HasExited => HasEndedInHost || _process.HasExited;

    /// <summary>The built program of a project, as an argument of <c>dotnet</c>.</summary>
    /// <param name="project">The folder below <c>src</c>: <c>Consumer</c>.</param>
    public static string ProgramOf(string project)
    {
        var configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        var program = RepositoryRoot.Combine("artifacts", "bin", project, configuration, $"RedisLatency.{project}.dll");
        return File.Exists(program)
            ? program
            : throw new InvalidOperationException($"{program} is not there: build src/{project} first.");
    }

    /// <summary>
    /// Runs a service in a process that may have run others before and may run others after; for all that is not
    /// about the process itself: its start, its environment, how it is killed.
    /// </summary>
    /// <param name="project">The folder below <c>src</c>: <c>Consumer</c>.</param>
    /// <param name="arguments">What the user types after the name.</param>
    public static ServiceProcess Start(string project, params string[] arguments) =>
        Start(project, new Dictionary<string, string>(), arguments);

    /// <summary>The same with environment variables of its own, which tests have in common.</summary>
    public static ServiceProcess Start(
        string project, IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-service-").FullName;
        var host = ServiceHost.Run(project, folder, environment, arguments);
        return new ServiceProcess(host.Process, folder, host);
    }

    /// <summary>Starts the built program of a project in a process of its own.</summary>
    /// <param name="project">The folder below <c>src</c>: <c>Lab</c>.</param>
    /// <param name="arguments">What the user types after the name.</param>
    public static ServiceProcess StartAlone(string project, params string[] arguments) =>
        StartAlone(project, new Dictionary<string, string>(), arguments);

    /// <summary>Starts the built program of a project with environment variables of its own.</summary>
    public static ServiceProcess StartAlone(
        string project, IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        StartProgram("dotnet", [ProgramOf(project), .. arguments], environment);

    /// <summary>
    /// Starts the built program of a project in a time namespace whose monotonic clock is ahead by so many seconds.
    /// </summary>
    public static ServiceProcess StartAhead(int seconds, string project, params string[] arguments) => StartProgram(
        "unshare",
        [
            "--time", "--monotonic", seconds.ToString(CultureInfo.InvariantCulture), "--fork", "--kill-child",
            "dotnet", ProgramOf(project), .. arguments,
        ],
        new Dictionary<string, string>());

    /// <summary>
    /// Starts a shell script that runs services: <c>dotnet "$PRODUCER"</c>, <c>dotnet "$CONSUMER"</c>;
    /// for pipes, limits, and files that must be in the working folder before.
    /// </summary>
    public static ServiceProcess StartShell(string script, IReadOnlyDictionary<string, string>? environment = null) =>
        StartProgram("sh", ["-c", script], new Dictionary<string, string>(environment?.ToDictionary() ?? [])
        {
            ["PRODUCER"] = ProgramOf("Producer"),
            ["CONSUMER"] = ProgramOf("Consumer"),
        });

    /// <summary>Starts a program that is none of ours by itself: a script of the repository.</summary>
    public static ServiceProcess StartScript(string path, params string[] arguments) =>
        StartProgram(path, arguments, new Dictionary<string, string>());

    /// <summary>Sends a signal by its name: <c>TERM</c>, <c>INT</c>, <c>STOP</c>, <c>KILL</c>.</summary>
    public void Signal(string name)
    {
        _signals.Add(name);
        if (HasEndedInHost)
            return;
        using var kill = Process.Start("kill", [$"-{name}", ProcessId.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits for the end and reads both outputs to theirs.</summary>
    /// <returns>The exit code, 128 + n where signal n ended it.</returns>
    public async Task<int> End()
    {
        _limit.CancelAfter(LimitAgainstHangs);
        try
        {
            if (_host is null || await Output.End.WaitAsync(_limit.Token) is null)
                await _process.WaitForExitAsync(_limit.Token);
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"It did not end.\n{this}");
        }

        var ends = await Task.WhenAll(Output.End, Errors.End);
        return ends[0] is { } end
            ? int.Parse(end[1..].Split(' ')[0], CultureInfo.InvariantCulture)
            : _process.ExitCode;
    }

    /// <summary>Sends a signal and waits for the end.</summary>
    public Task<int> EndBy(string signal)
    {
        Signal(signal);
        return End();
    }

    /// <summary>Both outputs so far, for the message of a failed assertion.</summary>
    public override string ToString() => $"standard output:\n{Output}\nstandard error:\n{Errors}";

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await EndInHost();
        if (await CanRunAnother())
        {
            _host!.Return();
        }
        else
        {
            if (!_process.HasExited)
            {
                _process.Kill();
                await _process.WaitForExitAsync();
            }

            _process.Dispose();
        }

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
        // Of services that live a second profiles, and code that is compiled once more because it has run often, would
        // come too late.
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_TC_CallCountingDelayMs"] = "1000";
        // Mapping every page of code twice costs a fifth of their processor time.
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
    }

    private bool HasEndedInHost => _host is not null && Output.End is { IsCompletedSuccessfully: true, Result: not null };

    // A killed host would be of no use to the next test.
    private async Task EndInHost()
    {
        if (_host is null || HasExited || _signals.Count > 0)
            return;
        Signal("TERM");
        await Task.WhenAny(Task.WhenAll(Output.End, Errors.End), Task.Delay(LongestFarewell));
    }

    // What a run left open must not meet the next one. A signal that did not end the run may still be on its way; one
    // that only held it up was taken when it went on.
    private async Task<bool> CanRunAnother() =>
        HasEndedInHost
        && (await Output.End)!.IndexOf(' ', StringComparison.Ordinal) < 0
        && _signals.Count(name => name is not ("STOP" or "CONT")) is var ends
        && (ends == 0 || (ends == 1 && await End() is >= 128))
        && await Errors.End is not null;

    private static ServiceProcess StartProgram(
        string program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment)
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-service-").FullName;
        var start = InheritedSignals.Start(program, arguments);
        Redirect(start, environment);
        start.WorkingDirectory = folder;
        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return new ServiceProcess(process, folder);
    }

    private static bool IsOurs(string name) =>
        name.StartsWith("REDISLATENCY", StringComparison.OrdinalIgnoreCase) || name is "REDISCLI_AUTH";
}
