using System.Globalization;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>Writes to a source what shows whether it came twice, or not at all, until it is stopped.</summary>
internal sealed class SourceLoad : SourceWriter
{
    private const int Keys = 40;

    private readonly int _databases;

    private SourceLoad(string uri, int databases)
        : base(() => SyncProcess.Open(uri)) => _databases = databases;

    public static SourceLoad Start(string uri, int databases = 2)
    {
        var load = new SourceLoad(uri, databases);
        load.Begin();
        return load;
    }

    protected override void Write(int round)
    {
        var key = (round % Keys).ToString(CultureInfo.InvariantCulture);
        if (round % 50 == 0)
            Do("SELECT", ((round / 50) % _databases).ToString(CultureInfo.InvariantCulture));
        Do("INCR", $"count:{key}");
        Do("RPUSH", $"list:{key}", $"{round}");
        Do("APPEND", $"text:{key}", $"{round},");
        Do("SET", $"set:{key}", $"{round}");
        Do("HSET", $"hash:{key}", $"{round % 7}", $"{round}");
        Do("HINCRBY", $"hash:{key}", "sum", "1");
        Do("SADD", $"members:{key}", $"{round % 5}");
        Do("SREM", $"members:{key}", $"{(round + 2) % 5}");
        Do("XADD", $"stream:{key}", "*", "n", $"{round}");
        Do("PEXPIRE", $"set:{key}", "100000000");
        Do("DEL", $"type:{key}");
        if (round % 3 == 0)
            Do("HSET", $"type:{key}", "field", $"{round}");
        else if (round % 3 == 1)
            Do("SET", $"type:{key}", $"{round}");
        else
            Do("ZADD", $"type:{key}", "1", $"{round}");
        if (round % 10 == 3)
        {
            Do("MULTI");
            Do("INCR", $"{{pair:{key}}}one");
            Do("INCR", $"{{pair:{key}}}other");
            Do("EXEC");
            Do("SET", $"{{move:{key}}}from", $"{round}");
            Do("RENAME", $"{{move:{key}}}from", $"{{move:{key}}}to");
            Do("DEL", $"list:{key}");
        }
    }
}
