using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>Writes to a source what shows whether it came twice, or not at all, until it is stopped.</summary>
internal sealed class SourceLoad : IAsyncDisposable
{
    private const int Keys = 40;

    private readonly CancellationTokenSource _stop = new();
    private readonly RedisConnection _source;
    private readonly Task _writing;
    private long _rounds;

    private SourceLoad(string uri, int databases)
    {
        _source = SyncProcess.Open(uri);
        _writing = Task.Factory.StartNew(
            () => Write(databases), _stop.Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    public static SourceLoad Start(string uri, int databases = 2) => new(uri, databases);

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

    private void Write(int databases)
    {
        for (var i = 0; !_stop.IsCancellationRequested; i++)
        {
            var key = (i % Keys).ToString(CultureInfo.InvariantCulture);
            if (i % 50 == 0)
                Do("SELECT", ((i / 50) % databases).ToString(CultureInfo.InvariantCulture));
            Do("INCR", $"count:{key}");
            Do("RPUSH", $"list:{key}", $"{i}");
            Do("APPEND", $"text:{key}", $"{i},");
            Do("SET", $"set:{key}", $"{i}");
            Do("HSET", $"hash:{key}", $"{i % 7}", $"{i}");
            Do("HINCRBY", $"hash:{key}", "sum", "1");
            Do("SADD", $"members:{key}", $"{i % 5}");
            Do("SREM", $"members:{key}", $"{(i + 2) % 5}");
            Do("XADD", $"stream:{key}", "*", "n", $"{i}");
            Do("PEXPIRE", $"set:{key}", "100000000");
            Do("DEL", $"type:{key}");
            if (i % 3 == 0)
                Do("HSET", $"type:{key}", "field", $"{i}");
            else if (i % 3 == 1)
                Do("SET", $"type:{key}", $"{i}");
            else
                Do("ZADD", $"type:{key}", "1", $"{i}");
            if (i % 10 == 3)
            {
                Do("MULTI");
                Do("INCR", $"{{pair:{key}}}one");
                Do("INCR", $"{{pair:{key}}}other");
                Do("EXEC");
                Do("SET", $"{{move:{key}}}from", $"{i}");
                Do("RENAME", $"{{move:{key}}}from", $"{{move:{key}}}to");
                Do("DEL", $"list:{key}");
            }

            Volatile.Write(ref _rounds, i + 1);
        }
    }

    private void Do(params string[] words) => _source.Execute(words);
}
