using RedisLatency.Hosting.Live;
using RedisLatency.Redis;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>Polls for what a writer announces last: what became of its keys.</summary>
internal sealed class WriterReportPoll(KeyClient questions, string key, ulong session, Action<WriterReport> ended)
    : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly ManualResetEvent _hasEnded = new(initialState: false);
    private ReporterThread? _thread;

    public WriterReport? End { get; private set; }

    public void Begin() => _thread = new ReporterThread(Interval, _ => Poll());

    public void Wait(TimeSpan limit) => _hasEnded.WaitOne(limit);

    public void Dispose()
    {
        _thread?.Dispose();
        questions.Dispose();
        _hasEnded.Dispose();
    }

    private void Poll()
    {
        if (End is not null)
            return;
        try
        {
            var seen = questions.Request("GET", key);
            if (seen.IsError || seen.IsNull || WriterAnnouncement.Read(seen.Text) is not { End: { } end } announced
                || announced.Session != session)
                return;
            End = end;
            ended(end);
            _hasEnded.Set();
        }
        catch (RedisException)
        {
            // The reader reports what is wrong there; this only polls again.
        }
    }
}
