using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// Writes round after round to a source, on a thread of its own, until it is stopped. Where the source fails, it goes on
/// with the next round at whichever is the source by then; what was in work may have been done or not.
/// </summary>
internal abstract class SourceWriter(Func<RedisConnection> open) : IAsyncDisposable
{
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(20);

    private readonly CancellationTokenSource _stop = new();
    private RedisConnection _source = open();
    private Task _writing = Task.CompletedTask;
    private long _rounds;

    public long Rounds => Volatile.Read(ref _rounds);

    public async Task Stop()
    {
        await _stop.CancelAsync();
        await _writing;
    }

    public async ValueTask DisposeAsync()
    {
        await Stop();
        _source.Dispose();
        _stop.Dispose();
    }

    protected void Begin() => _writing = Task.Factory.StartNew(
        () =>
        {
            for (var round = 0; !_stop.IsCancellationRequested; round++)
            {
                WriteOrOpen(round);
                Volatile.Write(ref _rounds, round + 1);
            }
        },
        _stop.Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    protected abstract void Write(int round);

    private void WriteOrOpen(int round)
    {
        try
        {
            Write(round);
        }
        catch (RedisException)
        {
            _source.Dispose();
            while (!_stop.Token.WaitHandle.WaitOne(BetweenTries) && !IsOpen())
            {
            }
        }
    }

    private bool IsOpen()
    {
        try
        {
            _source = open();
            return true;
        }
        catch (RedisException)
        {
            return false;
        }
    }

    protected void Do(params string[] words) => _source.Execute(words);
}
