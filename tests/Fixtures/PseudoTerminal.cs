using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace RedisLatency.Fixtures;

/// <summary>A built service on a terminal of its own: what it shows there, and keys that are pressed.</summary>
/// <remarks>A shell starts it as the leader of a session, and holds the terminal until it has noted its mode.</remarks>
public sealed class PseudoTerminal : IAsyncDisposable
{
    private const int ReadWrite = 2;
    private const int NotOurs = 256; // O_NOCTTY

    private const string Script =
        """
        exec 3<>"$0"; stty cols "$1" rows 40 <&3; stty -g <&3; shift
        setsid --ctty --wait "$@" <&3 >&3 2>&3; code=$?
        stty -g <&3; exit $code
        """;

    private readonly FileStream _keys;
    private readonly Process _process;
    private readonly string _path;

    private PseudoTerminal(FileStream keys, string path, Process process)
    {
        (_keys, _path, _process) = (keys, path, process);
        Screen = new CapturedLines(new ScreenReader(keys));
        Modes = new CapturedLines(process.StandardOutput);
    }

    /// <summary>What is written there, escape sequences included.</summary>
    public CapturedLines Screen { get; }

    /// <summary>The terminal's mode before the service began and after it ended, as stty has it.</summary>
    public CapturedLines Modes { get; }

    public static PseudoTerminal Start(int columns, string project, params string[] arguments) =>
        Start(columns, [], project, arguments);

    /// <summary>Starts it as a shell does what is followed by <c>&amp;</c>, while another has the terminal.</summary>
    public static PseudoTerminal StartInBackground(int columns, string project, params string[] arguments) =>
        Start(columns, ["sh", "-mc", "\"$@\" & wait $!", "sh"], project, arguments);

    private static PseudoTerminal Start(int columns, string[] shell, string project, string[] arguments)
    {
        var master = OpenTerminal(ReadWrite | NotOurs);
        if (GrantTerminal(master) != 0 || UnlockTerminal(master) != 0)
            throw new InvalidOperationException("There is no pseudo terminal.");
        var path = Marshal.PtrToStringAnsi(NameOfTerminal(master))!;
        var folder = Directory.CreateTempSubdirectory("redislatency-terminal-").FullName;
        var start = new ProcessStartInfo("sh",
        [
            "-c", Script, path, columns.ToString(CultureInfo.InvariantCulture),
            .. shell, .. InheritedSignals.Reset([BuiltProgram.Path, .. BuiltProgram.VerbOf(project), .. arguments]),
        ])
        { WorkingDirectory = folder };
        ServiceProcess.Redirect(start, new Dictionary<string, string> { ["TERM"] = "xterm" });
        foreach (var name in (string[])["CI", "GITHUB_ACTIONS", "BUILD_NUMBER", "NO_COLOR"])
            start.Environment.Remove(name);
        var keys = new FileStream(new SafeFileHandle(master, ownsHandle: true), FileAccess.ReadWrite, 0);
        return new PseudoTerminal(keys, path, Process.Start(start)!);
    }

    /// <summary>Whether keys come one by one and unechoed.</summary>
    public bool IsRaw
    {
        get
        {
            using var stty = Process.Start(
                new ProcessStartInfo("stty", ["-a", "-F", _path]) { RedirectStandardOutput = true })!;
            var mode = stty.StandardOutput.ReadToEnd();
            return mode.Contains("-icanon", StringComparison.Ordinal) && mode.Contains("-echo ", StringComparison.Ordinal);
        }
    }

    public void Press(char key) => _keys.WriteByte((byte)key);

    /// <summary>Waits for the end and returns the exit code.</summary>
    public async Task<int> End()
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        await _process.WaitForExitAsync(limit.Token);
        await Task.WhenAll(Screen.End, Modes.End);
        return _process.ExitCode;
    }

    /// <inheritdoc/>
    public override string ToString() => Screen.ToString();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        var folder = _process.StartInfo.WorkingDirectory;
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
        await _keys.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    [DllImport("libc", EntryPoint = "posix_openpt")]
    private static extern int OpenTerminal(int flags);

    [DllImport("libc", EntryPoint = "grantpt")]
    private static extern int GrantTerminal(int master);

    [DllImport("libc", EntryPoint = "unlockpt")]
    private static extern int UnlockTerminal(int master);

    [DllImport("libc", EntryPoint = "ptsname")]
    private static extern nint NameOfTerminal(int master);

    // Reading a terminal that nobody has open any more fails.
    private sealed class ScreenReader(Stream screen) : StreamReader(screen)
    {
        public override async Task<string?> ReadLineAsync()
        {
            try
            {
                return await base.ReadLineAsync();
            }
            catch (IOException)
            {
                return null;
            }
        }
    }
}
