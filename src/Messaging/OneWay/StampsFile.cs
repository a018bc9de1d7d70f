using System.Buffers.Text;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The stamps of every message as they are, one line each, for those who want to calculate themselves. Lines go to the
/// file in whole bundles of about 64 KiB. One thread, and not the measuring one.
/// </summary>
public sealed class StampsFile : IDisposable
{
    /// <summary>What it is called in a folder of results.</summary>
    public const string Name = "stamps.csv";

    private const int BundleBytes = 1 << 16;

    // Eight numbers of at most 20 characters, each with a comma or the end of the line.
    private const int LongestLine = 8 * 21;

    private readonly ResultsFileStream _file;
    private readonly byte[] _bundle = new byte[BundleBytes];
    private int _length;

    /// <summary>Starts the file.</summary>
    /// <exception cref="ResultsWriteException">It cannot be made, or written to.</exception>
    public StampsFile(ResultsFolder folder)
    {
        ArgumentNullException.ThrowIfNull(folder);
        _file = folder.CreateFile(Name);
        _file.Write("stream,consumer,sequence,intended,sent,received,echoed,returned\n"u8);
    }

    /// <summary>Writes a message's line.</summary>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public void Write(in MessageStamps stamps)
    {
        if (_length + LongestLine > _bundle.Length)
            Flush();
        Append(stamps.Stream, ',');
        Utf8Formatter.TryFormat(stamps.Peer, _bundle.AsSpan(_length), out var written);
        _length += written;
        _bundle[_length++] = (byte)',';
        Append(stamps.Sequence, ',');
        Append(stamps.Intended, ',');
        Append(stamps.Sent, ',');
        Append(stamps.Received, ',');
        Append(stamps.Echoed, ',');
        Append(stamps.Returned, '\n');
    }

    /// <summary>Brings the lines so far to the file.</summary>
    /// <exception cref="ResultsWriteException">They cannot be written.</exception>
    public void Flush()
    {
        var length = _length;
        _length = 0;
        if (length > 0)
            _file.Write(_bundle.AsSpan(0, length));
    }

    /// <summary>Writes the rest, and gives the file its name.</summary>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public void Complete()
    {
        Flush();
        _file.Complete();
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private void Append(long number, char end)
    {
        Utf8Formatter.TryFormat(number, _bundle.AsSpan(_length), out var written);
        _length += written;
        _bundle[_length++] = (byte)end;
    }
}
