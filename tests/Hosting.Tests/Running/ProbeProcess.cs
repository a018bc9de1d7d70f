using System.Diagnostics;
using RedisLatency.Fixtures;

namespace RedisLatency.Hosting.Running;

/// <summary>A real process that lives a run over <see cref="RunHost"/> and says in which phase it is.</summary>
internal sealed class ProbeProcess : IDisposable
{
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromSeconds(60);

    /// <summary>The probe, as an argument of <c>dotnet</c>.</summary>
    public static readonly string Program = Path.Combine(AppContext.BaseDirectory, "RedisLatency.PhaseProbe.dll");

    private readonly Process _process;
    private readonly CancellationTokenSource _limit = new(LimitAgainstHangs);

    public ProbeProcess(params string[] script)
    {
        var start = InheritedSignals.Start("dotnet", [Program, .. script]);
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
    }

    /// <summary>What it has printed so far.</summary>
    public List<string> Lines { get; } = [];

    /// <summary>What it has said on standard error so far.</summary>
    public List<string> Errors { get; } = [];

    public Task ReadUntil(string part) => ReadUntil(part, _process.StandardOutput, Lines);

    public Task ReadErrorsUntil(string part) => ReadUntil(part, _process.StandardError, Errors);

    public void Signal(string name) => UnixSignal.Send(_process.Id, name).ShouldBeTrue();

    /// <summary>Goes away as <c>head -1</c> does.</summary>
    public void StopReading() => _process.StandardOutput.Close();

    /// <summary>Opens the gate that Drain and Report wait at.</summary>
    public void Continue() => _process.StandardInput.WriteLine();

    /// <summary>Waits for the end without reading any more.</summary>
    public async Task<int> EndUnread()
    {
        await _process.WaitForExitAsync(_limit.Token);
        return _process.ExitCode;
    }

    /// <summary>Reads to the end.</summary>
    /// <returns>The exit code, 128 + n where signal n ended it.</returns>
    public async Task<int> End()
    {
        await Task.WhenAll(
            ReadUntil(null, _process.StandardOutput, Lines), ReadUntil(null, _process.StandardError, Errors));
        await _process.WaitForExitAsync(_limit.Token);
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
        _limit.Dispose();
    }

    private async Task ReadUntil(string? part, StreamReader reader, List<string> lines)
    {
        while (part is null || lines.LastOrDefault()?.Contains(part, StringComparison.Ordinal) is not true)
        {
            if (await reader.ReadLineAsync(_limit.Token) is { } line)
                lines.Add(line);
            else if (part is null)
                return;
            else
                throw new InvalidOperationException(
                    $"Ended before '{part}':\n{string.Join('\n', [.. Lines, .. Errors])}");
        }
    }
}
