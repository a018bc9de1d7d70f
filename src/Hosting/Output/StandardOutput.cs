using System.Globalization;
using System.Text;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Output;

/// <summary>
/// Where results are printed: UTF-8 without a byte order mark, invariant culture, lines ended by LF. Once the reader
/// has gone away (<c>| head -1</c>) or the disk is full, it prints nothing more and says so by <see cref="IsClosed"/>,
/// and the run goes on to write its files. What is written within a line is cleaned (<see cref="PlainText"/>): only
/// <see cref="WriteLine()"/> ends one. Not thread safe.
/// </summary>
public sealed class StandardOutput : TextWriter, IPage
{
    private const int Descriptor = 1;
    private const int BrokenPipe = 32;

    private readonly Stream _stream;
    private readonly byte[] _bytes = new byte[8192];
    private int _length;

    public StandardOutput()
        : this(new DescriptorStream(Descriptor))
    {
    }

    internal StandardOutput(Stream stream) : base(CultureInfo.InvariantCulture)
    {
        _stream = stream;
        CoreNewLine = ['\n'];
    }

    /// <summary>As wide as the terminal, within reason; that of every page in a file.</summary>
    public int Width => Console.IsOutputRedirected
        ? Pages.UsualWidth
        : Math.Clamp(Terminal.ReadColumns(), Pages.LeastWidth, Pages.MostWidth);

    /// <summary>Whether what is printed reaches nobody.</summary>
    public bool IsClosed => Failure is not null;

    /// <summary>Why, or null.</summary>
    public IOException? Failure { get; private set; }

    /// <summary>
    /// Whether it is a document (json, csv), which is none unless it is whole; text may be cut short.
    /// </summary>
    public bool IsDocument { get; set; }

    /// <summary>The folder that holds what is printed, where one does.</summary>
    public string? Folder { get; set; }

    /// <summary>
    /// Prints what is left. Where it reached nobody, <see cref="Running.ExitCode.ResultsNotWritten"/> is added to the
    /// exit code and the reason printed; not where the reader of text has had enough (<c>| head -1</c>).
    /// </summary>
    /// <param name="exitCode">What the process ends with otherwise.</param>
    /// <param name="errors">Where the reason is printed; null is standard error.</param>
    public int End(int exitCode, TextWriter? errors = null)
    {
        Flush();
        if (Failure is not { } failure || (!IsDocument && failure.HResult == BrokenPipe))
            return exitCode;
        var saved = Folder is null ? "" : $" The results are in {Folder}.";
        (errors ?? Console.Error).WriteLine(
            $"Standard output: {failure.Message}. What was printed is not whole.{saved}");
        return Running.ExitCode.Combine(exitCode, Running.ExitCode.ResultsNotWritten);
    }

    public override Encoding Encoding { get; } = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);

    public override void Write(char value) => Write([value]);

    public override void Write(string? value) => Write(value.AsSpan());

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(ReadOnlySpan<char> buffer)
    {
        if (PlainText.IsClean(buffer))
            WriteAsIs(buffer);
        else
            WriteAsIs(PlainText.Clean(buffer.ToString()));
    }

    public override void WriteLine() => WriteAsIs("\n");

    public override void WriteLine(string? value)
    {
        Write(value);
        WriteLine();
    }

    public override void WriteLine(ReadOnlySpan<char> buffer)
    {
        Write(buffer);
        WriteLine();
    }

    /// <summary>Prints a text that the next one is to be written over: it ends with a carriage return.</summary>
    public void WriteOver(ReadOnlySpan<char> text)
    {
        Write(text);
        WriteAsIs("\r");
        Flush();
    }

    /// <summary>Prints what may hold control characters: the picture that a live view draws.</summary>
    internal void WriteAsIs(ReadOnlySpan<char> buffer)
    {
        while (!buffer.IsEmpty && !IsClosed)
        {
            var part = buffer[..Math.Min(buffer.Length, _bytes.Length / 4)];
            if (part.Length < buffer.Length && char.IsHighSurrogate(part[^1]))
                part = part[..^1];
            if (Encoding.GetMaxByteCount(part.Length) > _bytes.Length - _length)
                Flush();
            _length += Encoding.GetBytes(part, _bytes.AsSpan(_length));
            buffer = buffer[part.Length..];
        }
    }

    public override void Flush()
    {
        var pending = _bytes.AsSpan(0, _length);
        _length = 0;
        Send(pending);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            Flush();
        base.Dispose(disposing);
    }

    private void Send(ReadOnlySpan<byte> utf8)
    {
        if (IsClosed || utf8.IsEmpty)
            return;
        try
        {
            _stream.Write(utf8);
            _stream.Flush();
        }
        catch (IOException failure)
        {
            Failure = failure;
        }
    }
}
