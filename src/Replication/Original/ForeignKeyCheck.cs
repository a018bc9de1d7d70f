using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Original;

/// <summary>Looks for keys named by plain numbers whose values are no test's milliseconds since the epoch.</summary>
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
            Look(from, Math.Min(end, from + AtOnce));
        if (_foreign > 0)
        {
            throw new RunRefusedException(
                $"{Quantity.Count(_foreign)} of the keys {options.FirstKey} to {end - 1} are there and were not "
                    + "written by "
                + $"such a test, the first is {_first} ({_what}). Give --overwrite to replace them, with their "
                + "expiry.");
        }
    }

    private void Look(long from, long until)
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
        // What may not be looked at may not be written either, or is told by who writes: MOVED, NOPERM.
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
        var deadline = MonotonicClock.NowNs() + pipeline.ReplyTimeout.InNanoseconds;
        RespCursor reply;
        while (!pipeline.TryTake(out reply))
        {
            if (MonotonicClock.NowNs() > deadline)
                throw new RedisTimeoutException("no reply to TYPE in time.");
            pipeline.Receive(MonotonicClock.ToTimestamp(deadline));
        }

        var text = Encoding.UTF8.GetString(reply.Content);
        return reply.IsError ? $"-{text}" : text;
    }
}
