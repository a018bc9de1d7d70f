using System.Text;
using System.Text.RegularExpressions;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Output;

/// <summary>
/// Standard error: what is said about a run, never its result. Each line is one write, on any thread; that a reader
/// went away is not told, because nothing follows from it.
/// </summary>
public sealed class Diagnostics
{
    private const int Descriptor = 2;
    private const int MaxLine = 4096;

    private readonly Stream _stream;
    private readonly Lock _gate = new();
    private readonly byte[] _line = new byte[MaxLine * 3 + 1];
    private Action<string>? _detour;
    private bool _isClosed;

    public Diagnostics()
        : this(new DescriptorStream(Descriptor))
    {
    }

    internal Diagnostics(Stream stream) => _stream = stream;

    /// <summary>
    /// Writes one line, cleaned (<see cref="PlainText"/>), in parts where it is very long; allocates nothing unless
    /// a view took the lines over.
    /// </summary>
    public void WriteLine(ReadOnlySpan<char> line)
    {
        if (UrlSecrets.MayBeIn(line))
            line = UrlSecrets.Hide(line.ToString());
        if (!PlainText.IsClean(line))
            line = PlainText.Clean(line.ToString());
        lock (_gate)
        {
            if (_detour is not null)
            {
                _detour(line.ToString());
                return;
            }

            for (; line.Length > MaxLine; line = line[MaxLine..])
                Send(Encoding.UTF8.GetBytes(line[..MaxLine], _line));
            var length = Encoding.UTF8.GetBytes(line, _line);
            _line[length] = (byte)'\n';
            Send(length + 1);
        }
    }

    /// <summary>Writes a line that the next one is to be written over: it ends with a carriage return.</summary>
    public void WriteOver(ReadOnlySpan<char> line)
    {
        var text = PlainText.Clean(line[..Math.Min(line.Length, MaxLine)].ToString());
        lock (_gate)
        {
            var length = Encoding.UTF8.GetBytes(text, _line);
            _line[length] = (byte)'\r';
            Send(length + 1);
        }
    }

    /// <summary>
    /// Gives the lines to a view that owns the terminal, which would be torn by them; null gives them back to standard
    /// error.
    /// </summary>
    internal void Detour(Action<string>? lines)
    {
        lock (_gate)
            _detour = lines;
    }

    private void Send(int length)
    {
        if (_isClosed)
            return;
        try
        {
            _stream.Write(_line.AsSpan(0, length));
        }
        catch (IOException)
        {
            _isClosed = true;
        }
    }
}

/// <summary>Errors repeat what was given at any option: what looks like a URL's user part is hidden.</summary>
internal static partial class UrlSecrets
{
    /// <summary>Whether there may be something to hide; allocates nothing.</summary>
    public static bool MayBeIn(ReadOnlySpan<char> text) =>
        text.Contains('@') && text.Contains("://", StringComparison.Ordinal);

    /// <summary>The text with <c>***</c> for passwords; a user that stands alone may be one.</summary>
    public static string Hide(string text) => MayBeIn(text) ? UserPart().Replace(text, "://${user}***@") : text;

    // A password may hold anything, an @ too: up to the last one.
    [GeneratedRegex("""://(?<user>[^\s:/@'"]*:)?[^\s'"]*@""")]
    private static partial Regex UserPart();
}
