using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Counter;

/// <summary>One of the Python programs beside this file.</summary>
internal sealed class PythonProgram : IAsyncDisposable
{
    private readonly Process _process;

    private PythonProgram(Process process) => _process = process;

    /// <summary>Starts a program, or skips the test where there is no Python.</summary>
    public static PythonProgram Start(string name, int port, params string[] arguments)
    {
        string[] line =
        [
            RepositoryRoot.Combine("tests", "Integration", "Counter", name),
            port.ToString(CultureInfo.InvariantCulture), .. arguments,
        ];
        return new PythonProgram(Process.Start(
            new ProcessStartInfo(ServerRequirement.Require("python3"), line)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!);
    }

    /// <summary>Its next line; null where it has ended.</summary>
    public async Task<string?> ReadLine() =>
        await _process.StandardOutput.ReadLineAsync().WaitAsync(ServiceProcess.LimitAgainstHangs)
            ?? await _process.StandardError.ReadToEndAsync();

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
