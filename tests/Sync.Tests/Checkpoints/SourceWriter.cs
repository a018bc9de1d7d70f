using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>Writes round after round to a source, on a thread of its own, until it is stopped.</summary>
internal abstract class SourceWriter(string uri) : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly RedisConnection _source = SyncProcess.Open(uri);
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
                Write(round);
                Volatile.Write(ref _rounds, round + 1);
            }
        },
        _stop.Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    protected abstract void Write(int round);

    protected void Do(params string[] words) => _source.Execute(words);
}
