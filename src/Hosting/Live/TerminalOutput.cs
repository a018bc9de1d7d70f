using System.Text;
using RedisLatency.Hosting.Output;
using Spectre.Console;

namespace RedisLatency.Hosting.Live;

/// <summary>Lets Spectre write to our standard output, which notices when nobody reads any more.</summary>
internal sealed class TerminalOutput(TextWriter writer, Terminal terminal) : IAnsiConsoleOutput
{
    // Lines are padded to the width, and the terminal's echo of ^C after the last one would scroll the frame away.
    private const int EchoWidth = 4;

    public TextWriter Writer { get; } = writer;

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
}
