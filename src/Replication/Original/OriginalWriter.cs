using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Original;

/// <summary>Writes keys named by numbers; a value is when it was written, in milliseconds since the epoch.</summary>
internal sealed class OriginalWriter(RedisPipeline pipeline, OriginalOptions options, IStopToken stop)
{
    private const long LongestNapNs = 50_000_000;

    private readonly RespWriter _request = new();
    private readonly byte[] _expiry = Encoding.ASCII.GetBytes(
        ((long)options.Expiry.TotalMilliseconds).ToString(CultureInfo.InvariantCulture));

    public long Written { get; private set; }
    public long Refused { get; private set; }
    public string? FirstRefusal { get; private set; }

    public void Run()
    {
        TimedWait.WakePrecisely();
        var start = MonotonicClock.NowNs();
        for (long i = 0; i < options.Keys && !stop.IsRequested; i++)
        {
            WaitUntil(start + (long)(i * 1e9 / options.Rate));
            while (pipeline.Outstanding > 0 && pipeline.Receive(Transport.NoWait))
                TakeReplies();
            Send(options.FirstKey + i);
        }

        var deadline = MonotonicClock.NowNs() + pipeline.ReplyTimeout.InNanoseconds;
        while (pipeline.Outstanding > 0)
        {
            if (MonotonicClock.NowNs() > deadline)
                throw new RedisTimeoutException($"{pipeline.Outstanding} keys were not answered.");
            pipeline.Receive(MonotonicClock.ToTimestamp(deadline));
            TakeReplies();
        }
    }

    private void WaitUntil(long due)
    {
        while (due - MonotonicClock.NowNs() > LongestNapNs && !stop.IsRequested)
            TimedWait.Until(MonotonicClock.NowNs() + LongestNapNs);
        if (!stop.IsRequested)
            TimedWait.Until(due);
    }

    private void Send(long number)
    {
        _request.Clear();
        _request.WriteArrayHeader(5);
        _request.WriteBulkString("SET"u8);
        _request.WriteBulkString(number);
        _request.WriteBulkString(WallClock.NowNs() / WallClock.Millisecond);
        _request.WriteBulkString("PX"u8);
        _request.WriteBulkString(_expiry);
        pipeline.Send(_request.Written);
    }

    private void TakeReplies()
    {
        while (pipeline.TryTake(out var reply))
        {
            if (!reply.IsError)
            {
                Written++;
                continue;
            }

            Refused++;
            FirstRefusal ??= Encoding.UTF8.GetString(reply.Content);
        }
    }
}

/// <summary>The wall clock, which the original's stamps are of: nanoseconds since the Unix epoch.</summary>
internal static class WallClock
{
    public const long Millisecond = 1_000_000;

    public static long NowNs() => WallClockMapping.ToUnixNs(TimeProvider.System.GetUtcNow());
}
