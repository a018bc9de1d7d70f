namespace RedisLatency.Fixtures;

/// <summary>What a process has written on one of its outputs, read as it comes: the process never waits.</summary>
public sealed class CapturedLines
{
    private readonly Lock _gate = new();
    private readonly List<string> _lines = [];
    private TaskCompletionSource _more = NewSignal();
    private bool _isOver;

    /// <summary>Begins to read.</summary>
    /// <param name="reader">The output.</param>
    public CapturedLines(StreamReader reader) => End = Task.Run(() => Read(reader));

    /// <summary>The lines so far.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_gate)
                return [.. _lines];
        }
    }

    /// <summary>Ends with the output.</summary>
    public Task End { get; }

    /// <summary>Waits for a line that holds a text, and returns it; one that came before counts too.</summary>
    /// <exception cref="InvalidOperationException">The output ended without it, or it did not come in time.</exception>
    public Task<string> WaitFor(string part) =>
        WaitFor($"'{part}'", line => line.Contains(part, StringComparison.Ordinal));

    /// <summary>Waits for a line of a kind, and returns it; one that came before counts too.</summary>
    /// <exception cref="InvalidOperationException">The output ended without it, or it did not come in time.</exception>
    public async Task<string> WaitFor(string what, Func<string, bool> isIt)
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        for (var from = 0; ;)
        {
            Task more;
            bool isOver;
            lock (_gate)
            {
                for (; from < _lines.Count; from++)
                {
                    if (isIt(_lines[from]))
                        return _lines[from];
                }

                more = _more.Task;
                isOver = _isOver;
            }

            if (isOver)
                throw new InvalidOperationException($"The output ended without {what}:\n{this}");
            try
            {
                await more.WaitAsync(limit.Token);
            }
            catch (OperationCanceledException)
            {
                throw new InvalidOperationException($"{what} did not come:\n{this}");
            }
        }
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join('\n', Lines);

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private async Task Read(StreamReader reader)
    {
        while (await reader.ReadLineAsync() is { } line)
            Note(line);
        Note(null);
    }

    private void Note(string? line)
    {
        TaskCompletionSource seen;
        lock (_gate)
        {
            if (line is null)
                _isOver = true;
            else
                _lines.Add(line);
            (seen, _more) = (_more, NewSignal());
        }

        seen.SetResult();
    }
}
