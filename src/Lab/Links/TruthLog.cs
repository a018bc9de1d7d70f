using System.Globalization;
using System.Text;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>A link's truth as CSV, a line a chunk: put into memory by its thread, written out by another.</summary>
internal sealed class TruthLog : ILinkObserver, IDisposable
{
    public const string Header = "route,connection,direction,bytes,arrived_ns,asked_ns,released_ns,given_ns,fate";

    private const int WakeAt = 4096;
    private const int MostWaiting = 1 << 20;
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(250);

    private readonly Lock _gate = new();
    private readonly AutoResetEvent _filled = new(initialState: false);
    private readonly StreamWriter _writer;
    private readonly Thread _thread;
    private List<RelayedChunk> _waiting = new(WakeAt);
    private List<RelayedChunk> _writing = new(WakeAt);
    private volatile bool _isEnding;
    private IOException? _failure;

    public TruthLog(string path)
    {
        _writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false))
        { NewLine = "\n" };
        _writer.WriteLine(Header);
        _thread = new Thread(Write) { IsBackground = true, Name = "truth log" };
        _thread.Start();
    }

    /// <summary>Lines that are missing because the disk did not keep up.</summary>
    public long Omitted { get; private set; }

    public void Saw(in RelayedChunk chunk)
    {
        int count;
        lock (_gate)
        {
            if (_waiting.Count >= MostWaiting)
            {
                Omitted++;
                return;
            }

            _waiting.Add(chunk);
            count = _waiting.Count;
        }

        if (count == WakeAt)
            _filled.Set();
    }

    public void Complete()
    {
        Dispose();
        if (_failure is { } failure)
            throw new IOException(failure.Message, failure);
    }

    public void Dispose()
    {
        if (_isEnding)
            return;
        _isEnding = true;
        _filled.Set();
        _thread.Join();
        _filled.Dispose();
    }

    private void Write()
    {
        try
        {
            using (_writer)
            {
                while (!_isEnding)
                {
                    _filled.WaitOne(Longest);
                    WriteWaiting();
                }

                WriteWaiting();
            }
        }
        catch (IOException failure)
        {
            _failure = failure;
        }
    }

    private void WriteWaiting()
    {
        lock (_gate)
            (_waiting, _writing) = (_writing, _waiting);
        foreach (var chunk in _writing)
            WriteLine(chunk);
        _writing.Clear();
    }

    private void WriteLine(in RelayedChunk chunk)
    {
        var direction = chunk.Direction == LinkDirection.Forward ? "forward" : "back";
        var given = chunk.CameOut ? chunk.GivenNs.ToString(CultureInfo.InvariantCulture) : string.Empty;
        var released = chunk.CameOut ? chunk.ReleasedNs.ToString(CultureInfo.InvariantCulture) : string.Empty;
        _writer.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{chunk.Route},{chunk.Connection},{direction},{chunk.Bytes},{chunk.ArrivedNs},{chunk.AskedNs},"
            + $"{released},{given},{chunk.Fate.ToString().ToLowerInvariant()}"));
    }
}
