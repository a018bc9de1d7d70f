using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>Writes commands of every kind to a source, at random, until it is stopped.</summary>
internal sealed class MixedLoad : SourceWriter
{
    private const int Keys = 50;
    private const string Script =
        "redis.call('INCR', KEYS[1]) redis.call('RPUSH', KEYS[2], redis.call('GET', KEYS[1])) return 1";

    private readonly Random _random = new(7);

    private MixedLoad(Func<RedisConnection> open)
        : base(open)
    {
    }

    public static MixedLoad Start(string uri) => Start(() => SyncProcess.Open(uri));

    public static MixedLoad Start(Func<RedisConnection> open)
    {
        var load = new MixedLoad(open);
        load.Begin();
        return load;
    }

    protected override void Write(int round)
    {
        if (round % 100 == 0)
            Do("SELECT", _random.Next(2).ToString(CultureInfo.InvariantCulture));
        // Little is left in either then, and both ends begin it anew.
        if (round % 5000 == 4999)
            Do("FLUSHDB");
        WriteOne($"{round}");
    }

    private void WriteOne(string i)
    {
        var key = $"{_random.Next(Keys)}";
        switch (_random.Next(15))
        {
            case 0: Do("INCR", $"count:{key}"); break;
            case 1: Do("LPUSH", $"list:{key}", i); break;
            case 2: Do("APPEND", $"text:{key}", $"{i},"); break;
            case 3: Do("XADD", $"stream:{key}", "MAXLEN", "100", "*", "n", i); break;
            case 4: Do("HINCRBY", $"hash:{key}", $"{_random.Next(5)}", "3"); break;
            case 5: Do("ZINCRBY", $"sorted:{key}", "1.5", $"{_random.Next(5)}"); break;
            case 6: Do("SET", $"long:{key}", i, "PX", "100000000"); break;
            case 7: Do("SET", $"short:{key}", i, "PX", $"{_random.Next(1, 3000)}"); break;
            case 8: Do("INCR", $"short:{key}"); break;
            case 9: Do("DEL", $"list:{key}", $"count:{_random.Next(Keys)}"); break;
            case 10: Do("EVAL", Script, "2", $"count:{key}", $"list:{key}"); break;
            case 11: Do("RPOPLPUSH", $"list:{key}", $"list:{_random.Next(Keys)}"); break;
            case 12: Do("PEXPIRE", $"long:{key}", "90000000"); break;
            case 13:
                Do("SET", $"from:{key}", i);
                Do("RENAME", $"from:{key}", $"to:{key}");
                break;
            default:
                Do("MULTI");
                Do("INCR", $"count:{key}");
                Do("SADD", $"set:{key}", $"{_random.Next(9)}");
                Do("SREM", $"set:{key}", $"{_random.Next(9)}");
                Do("APPEND", $"text:{key}", "t");
                Do("EXEC");
                break;
        }
    }
}
