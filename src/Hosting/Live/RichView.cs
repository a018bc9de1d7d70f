using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using Spectre.Console;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// Draws a <see cref="RichFrame"/> over the last one, on a thread of its own and at most four times a second. Lines of
/// the log go above it while it is there. The last frame stays when it ends.
/// </summary>
internal sealed class RichView : ILiveView
{
    private const string ShowCursorAndResetStyle = "\e[?25h\e[0m\n";

    private static readonly TimeSpan ShortestFrame = TimeSpan.FromMilliseconds(250);

    private readonly RichFrame _frame;
    private readonly IAnsiConsole _console;
    private readonly TextWriter _writer;
    private readonly Diagnostics _diagnostics;
    private readonly IStopToken _stop;
    private readonly LiveKeys _keys;
    private readonly Thread _thread;
    private readonly Lock _gate = new();
    private readonly AutoResetEvent _changed = new(initialState: false);
    private readonly ManualResetEvent _ending = new(initialState: false);
    private readonly ConcurrentQueue<string> _lines = new();
    private LiveSnapshot _snapshot;
    private bool _isShown;
    private bool _isDisposed;

    public RichView(
        LiveDescription description,
        IAnsiConsoleOutput output,
        bool hasColor,
        Diagnostics diagnostics,
        IStopToken stop,
        LiveKeys keys)
    {
        _frame = new RichFrame(description, keys.AreThere);
        _keys = keys;
        _writer = output.Writer;
        _diagnostics = diagnostics;
        _stop = stop;
        _console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = output,
            Ansi = AnsiSupport.Yes,
            ColorSystem = hasColor ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.Yes,
            // What it would find out from the environment has been settled already.
            Enrichment = new ProfileEnrichment { UseDefaultEnrichers = false },
        });
        _diagnostics.Detour(TakeLine);
        _stop.EndingAtOnce += RestoreTerminal;
        _thread = new Thread(Draw) { Name = "live", IsBackground = true, Priority = ThreadPriority.BelowNormal };
        _thread.Start();
    }

    public void Show(in LiveSnapshot snapshot)
    {
        lock (_gate)
        {
            (_snapshot, _isShown) = (snapshot, true);
            _frame.Remember(snapshot);
        }

        _changed.Set();
    }

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _keys.Dispose();
        _ending.Set();
        _thread.Join();
        _stop.EndingAtOnce -= RestoreTerminal;
        _diagnostics.Detour(null);
        while (_lines.TryDequeue(out var line))
            _diagnostics.WriteLine(line);
        _changed.Dispose();
        _ending.Dispose();
    }

    private void TakeLine(string line)
    {
        _lines.Enqueue(line);
        _changed.Set();
    }

    private void Draw()
    {
        _console.Live(new Text(string.Empty)).Overflow(VerticalOverflow.Crop).Start(Draw);
        _writer.Flush();
    }

    private void Draw(LiveDisplayContext display)
    {
        WaitHandle[] events = [_ending, _changed];
        for (var isEnding = false; !isEnding;)
        {
            isEnding = WaitHandle.WaitAny(events) == 0;
            var started = Stopwatch.GetTimestamp();
            while (_lines.TryDequeue(out var line))
                _console.WriteLine(OverTheFrame(line));
            lock (_gate)
            {
                // What ended within its first second has no frame: one of zeros would stay.
                if (_isShown && (isEnding || !_keys.IsPaused))
                    display.UpdateTarget(_frame.Render(_snapshot, _console.Profile.Width));
            }

            _writer.Flush();

            var rest = ShortestFrame - Stopwatch.GetElapsedTime(started);
            isEnding = isEnding || (rest > TimeSpan.Zero && _ending.WaitOne(rest));
        }
    }

    // It is written where the frame was, and has to cover what stands there.
    private string OverTheFrame(string line)
    {
        var width = Math.Max(1, _console.Profile.Width);
        return line.PadRight((line.Length + width - 1) / width * width);
    }

    private void RestoreTerminal()
    {
        _writer.Write(ShowCursorAndResetStyle);
        _writer.Flush();
    }
}

/// <summary>Lets Spectre write to our standard output, which notices when nobody reads any more.</summary>
internal sealed class TerminalOutput(StandardOutput output, Terminal terminal) : IAnsiConsoleOutput
{
    // Lines are padded to the width, and the terminal's echo of ^C after the last one would scroll the frame away.
    private const int EchoWidth = 4;

    public TextWriter Writer { get; } = new Picture(output);

    public bool IsTerminal => true;

    // Read again for each frame: people resize their windows.
    public int Width => Size(() => Console.WindowWidth, terminal.Columns) - EchoWidth;

    public int Height => Size(() => Console.WindowHeight, terminal.Rows);

    public void SetEncoding(Encoding encoding)
    {
    }

    private static int Size(Func<int> read, int otherwise)
    {
        try
        {
            return !Console.IsOutputRedirected && read() is var size and > 0 ? size : otherwise;
        }
        catch (IOException)
        {
            return otherwise;
        }
    }

    private sealed class Picture : TextWriter
    {
        private readonly StandardOutput _output;

        public Picture(StandardOutput output)
            : base(CultureInfo.InvariantCulture) => (_output, CoreNewLine) = (output, ['\n']);

        public override Encoding Encoding => _output.Encoding;

        public override void Write(char value) => _output.WriteAsIs([value]);

        public override void Write(string? value) => _output.WriteAsIs(value);

        public override void Write(char[] buffer, int index, int count) =>
            _output.WriteAsIs(buffer.AsSpan(index, count));

        public override void Flush() => _output.Flush();
    }
}
