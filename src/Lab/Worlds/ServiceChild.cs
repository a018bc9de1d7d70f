using System.Diagnostics;
using System.Globalization;

namespace RedisLatency.Lab.Worlds;

/// <summary>A service as a process of its own, with both its outputs kept.</summary>
internal sealed class ServiceChild : IDisposable
{
    private const int MostLines = 200;

    private readonly Process _process;
    private readonly Lock _gate = new();
    private readonly Queue<string> _said = new();
    private readonly ManualResetEventSlim _isReady = new();
    private readonly string _readyText;
    private readonly bool _isWrapped;

    private ServiceChild(Process process, string readyText, bool isWrapped)
    {
        _process = process;
        _readyText = readyText;
        _isWrapped = isWrapped;
        process.OutputDataReceived += (_, said) => Keep(said.Data);
        process.ErrorDataReceived += (_, said) => Keep(said.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    /// <summary>What it printed last, on either output.</summary>
    public IReadOnlyList<string> Said
    {
        get
        {
            lock (_gate)
                return [.. _said];
        }
    }

    /// <summary>Of our variables only those given reach it. Wrapped, the program only waits for its child.</summary>
    public static ServiceChild Start(
        IEnumerable<string> command,
        IReadOnlyDictionary<string, string> environment,
        string folder,
        string readyText,
        bool isWrapped)
    {
        var words = command.ToArray();
        var start = new ProcessStartInfo(words[0])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        foreach (var word in words.Skip(1))
            start.ArgumentList.Add(word);
        foreach (var name in start.Environment.Keys.Where(IsOurs).ToList())
            start.Environment.Remove(name);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return new ServiceChild(process, readyText, isWrapped);
    }

    public void WaitUntilReady(TimeSpan limit, CancellationToken stop)
    {
        var end = Stopwatch.GetTimestamp() + (long)(limit.TotalSeconds * Stopwatch.Frequency);
        while (!_isReady.Wait(TimeSpan.FromMilliseconds(50), stop))
        {
            if (_process.HasExited || Stopwatch.GetTimestamp() > end)
                throw new WorldFailedException($"it did not say '{_readyText}': {LastWords()}");
        }
    }

    public int WaitForEnd(TimeSpan limit, CancellationToken stop)
    {
        using var both = CancellationTokenSource.CreateLinkedTokenSource(stop);
        both.CancelAfter(limit);
        try
        {
            _process.WaitForExitAsync(both.Token).GetAwaiter().GetResult();
            return _process.ExitCode;
        }
        catch (OperationCanceledException) when (!stop.IsCancellationRequested)
        {
            throw new WorldFailedException($"it did not end within {limit.TotalSeconds:0} s: {LastWords()}");
        }
    }

    /// <summary>Asks it to end, as SIGTERM does.</summary>
    public void AskToEnd()
    {
        if (_process.HasExited)
            return;
        var own = _process.Id.ToString(CultureInfo.InvariantCulture);
        // The shell's own command: a program of that name is not on every machine.
        using var kill = Process.Start("sh", ["-c", $"kill -TERM {(_isWrapped ? ChildOf(own) ?? own : own)}"]);
        kill.WaitForExit();
    }

    /// <summary>The end of what it said, in one line.</summary>
    public string LastWords() => string.Join(" | ", Said.Where(line => line.Trim().Length > 0).TakeLast(4));

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _process.Dispose();
        _isReady.Dispose();
    }

    private void Keep(string? line)
    {
        if (line is null)
            return;
        lock (_gate)
        {
            _said.Enqueue(line);
            if (_said.Count > MostLines)
                _said.Dequeue();
        }

        if (line.Contains(_readyText, StringComparison.Ordinal))
            _isReady.Set();
    }

    private static string? ChildOf(string process)
    {
        var path = $"/proc/{process}/task/{process}/children";
        return File.Exists(path)
            ? File.ReadAllText(path).Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault()
            : null;
    }

    private static bool IsOurs(string name) =>
        name.StartsWith("REDISLATENCY", StringComparison.OrdinalIgnoreCase) || name is "REDISCLI_AUTH";
}
