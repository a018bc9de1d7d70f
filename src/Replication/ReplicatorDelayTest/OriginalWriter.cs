using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.ReplicatorDelayTest;

/// <summary>Writes keys named by numbers; a value is when it was written, in milliseconds since the epoch.</summary>
internal sealed class OriginalWriter(RedisPipeline pipeline, OriginalOptions options, IStopToken stop)
{
    private readonly RespWriter _request = new();
    private readonly byte[] _expiry = Encoding.ASCII.GetBytes(
        ((long)options.Expiry.TotalMilliseconds).ToString(CultureInfo.InvariantCulture));

    public long Written { get; private set; }
    public long Refused { get; private set; }
    public string? FirstRefusal { get; private set; }

    public void Run()
    {
        Pacer.WakePrecisely();
        var start = MonotonicClock.NowNs();
        for (long i = 0; i < options.Keys; i++)
        {
            if (!Pacer.TryWaitUntil(start + (long)(i * 1e9 / options.Rate), stop.Cancellation))
                break;
            while (pipeline.Outstanding > 0 && pipeline.Receive(Transport.NoWait))
                TakeReplies();
            Send(options.FirstKey + i);
        }

        while (pipeline.Outstanding > 0)
            Take(pipeline.Await("SET"));
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
            Take(reply);
    }

    private void Take(in RespCursor reply)
    {
        if (reply.IsError)
            FirstRefusal ??= Encoding.UTF8.GetString(reply.Content);
        (Written, Refused) = reply.IsError ? (Written, Refused + 1) : (Written + 1, Refused);
    }
}

/// <summary>The wall clock, which the original's stamps are of: nanoseconds since the Unix epoch.</summary>
internal static class WallClock
{
    public const long Millisecond = 1_000_000;

    public static long NowNs() => WallClockMapping.ToUnixNs(TimeProvider.System.GetUtcNow());
}

/// <summary>Checks for keys named by plain numbers whose values are no test's milliseconds since the epoch.</summary>
internal sealed class ForeignKeyCheck(RedisPipeline pipeline, OriginalOptions options, IStopToken stop)
{
    private const int AtOnce = 256;

    // The ninth of September 2001: later ones have 13 digits, and counters hardly do.
    private const long EarliestMilliseconds = 1_000_000_000_000;
    private const int MostDigits = 13;

    private readonly RespWriter _request = new();
    private long _foreign;
    private long _first;
    private string _what = string.Empty;

    public void Refuse()
    {
        var end = options.FirstKey + options.Keys;
        for (long from = options.FirstKey; from < end && !stop.IsRequested; from += AtOnce)
            Check(from, Math.Min(end, from + AtOnce));
        if (_foreign > 0)
        {
            throw new RunRefusedException(
                $"{Quantity.Count(_foreign)} of the keys {options.FirstKey} to {end - 1} are there and were not "
                + $"written by such a test, the first is {_first} ({_what}). Give --overwrite to replace them, with "
                + "their expiry.");
        }
    }

    private void Check(long from, long until)
    {
        _request.Clear();
        for (var number = from; number < until; number++)
        {
            _request.WriteArrayHeader(2);
            _request.WriteBulkString("TYPE"u8);
            _request.WriteBulkString(number);
            // Of what may be large its beginning is enough.
            _request.WriteArrayHeader(4);
            _request.WriteBulkString("GETRANGE"u8);
            _request.WriteBulkString(number);
            _request.WriteBulkString(0);
            _request.WriteBulkString(MostDigits);
        }

        pipeline.Send(_request.Written, checked((int)(2 * (until - from))));
        for (var number = from; number < until; number++)
        {
            var type = Take();
            Judge(number, type, Take());
        }
    }

    private void Judge(long number, string type, string value)
    {
        // What may not be read may not be written either, or is reported by who writes: MOVED, NOPERM.
        if (type == "none" || type[0] == '-')
            return;
        var isStamp = type == "string" && value.Length == MostDigits
            && long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            && milliseconds >= EarliestMilliseconds;
        if (isStamp)
            return;
        if (_foreign++ == 0)
            (_first, _what) = (number, type == "string" ? "a string that is no time stamp" : $"a {type}");
    }

    private string Take()
    {
        var reply = pipeline.Await("TYPE");
        var text = Encoding.UTF8.GetString(reply.Content);
        return reply.IsError ? $"-{text}" : text;
    }
}
