using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Output;
using Spectre.Console;

namespace RedisLatency.Hosting.Live;

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
