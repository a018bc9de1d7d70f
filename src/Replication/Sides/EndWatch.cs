using RedisLatency.Hosting.Live;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Sides;

/// <summary>Watches for what the writer tells at its end, on a thread and a connection of its own.</summary>
internal sealed class EndWatch : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly KeyQuestions _questions;
    private readonly string _key;
    private readonly int _writers;
    private readonly Action<WritingEnd> _ended;
    private readonly ManualResetEvent _hasEnded = new(initialState: false);
    private readonly ReporterThread _thread;

    /// <summary>Begins to watch.</summary>
    /// <param name="questions">Asks where it is replicated to; disposed with this.</param>
    /// <param name="key">The key.</param>
    /// <param name="writers">How many connections write.</param>
    /// <param name="ended">Is called once, on another thread.</param>
    public EndWatch(KeyQuestions questions, string key, int writers, Action<WritingEnd> ended)
    {
        (_questions, _key, _writers, _ended) = (questions, key, writers, ended);
        _thread = new ReporterThread(Interval, _ => Look());
    }

    /// <summary>What the writer told; null as long as it did not.</summary>
    public WritingEnd? End { get; private set; }

    /// <summary>Waits for it.</summary>
    public void Wait(TimeSpan limit) => _hasEnded.WaitOne(limit);

    /// <inheritdoc/>
    public void Dispose()
    {
        _thread.Dispose();
        _questions.Dispose();
        _hasEnded.Dispose();
    }

    private void Look()
    {
        if (End is not null)
            return;
        try
        {
            var seen = _questions.Request("GET", _key);
            if (seen.IsError || seen.IsNull || WritingEnd.Read(seen.Text, _writers) is not { } end)
                return;
            End = end;
            _ended(end);
            _hasEnded.Set();
        }
        catch (RedisException)
        {
            // The reader tells what is wrong there; this only looks again.
        }
    }
}
