using System.Buffers.Text;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.ReplicatorDelayTest;

/// <summary>
/// Reads what the original, or OriginalWriter, writes. Whether keys begin with 0 or with 1 they tell themselves: 0
/// comes, or the last one. Nothing was flushed: what is there at the start is old until its value changes.
/// </summary>
internal sealed class OriginalReader(RedisPipeline pipeline, OriginalOptions options, IStopToken stop)
{
    // More than come between two polls; a poll for all that may come would be a load of its own.
    private const int Ahead = 64;
    private const int Behind = 64;
    private const int MostAtOnce = 512;
    private const long Unseen = -1;
    private const long Text = -2;
    private const long ScoutAfterNs = 20_000_000;

    private readonly RespWriter _request = new(16 << 10);
    private readonly List<long> _asked = [];
    private readonly List<long> _behind = [];
    private readonly long[] _before = [.. Enumerable.Repeat(Unseen, (int)options.Keys + 1)];
    private readonly long[] _lastMissNs = new long[options.Keys + 1];
    private readonly bool[] _isFound = new bool[options.Keys + 1];
    private long _frontier;
    private long _scout;
    private int _turn;

    public List<long> Delays { get; } = [];
    public List<long> LeastDelays { get; } = [];
    public long Stale { get; private set; }
    public long NotANumber { get; private set; }
    public long Polls { get; private set; }

    public long Found => Delays.Count + NotANumber;

    public void PollAtStart()
    {
        for (long from = 0; from <= options.Keys; from += MostAtOnce)
        {
            _asked.Clear();
            for (var number = from; number <= options.Keys && number < from + MostAtOnce; number++)
                _asked.Add(number);
            Poll(isStart: true);
        }
    }

    public void Run()
    {
        Pacer.WakePrecisely();
        var lastCame = MonotonicClock.NowNs();
        while (Found < options.Keys && !stop.IsRequested)
        {
            var began = MonotonicClock.NowNs();
            var before = Found;
            Choose(scouts: began - lastCame > ScoutAfterNs);
            Poll(isStart: false);
            if (Found > before)
                lastCame = began;
            var limit = Found == 0 ? options.FirstTimeout : options.Deadline;
            if (began - lastCame > limit.InNanoseconds)
                break;
            Pacer.WaitUntil(began + options.PollInterval.InNanoseconds);
        }
    }

    // What comes next, and in turns what was passed over. Where nothing comes, what is next may never: the writer began
    // before this reader did, or keys were lost. Then the rest is gone through as well.
    private void Choose(bool scouts)
    {
        _asked.Clear();
        for (var number = _frontier; number <= options.Keys && number < _frontier + Ahead; number++)
        {
            if (!_isFound[number])
                _asked.Add(number);
        }

        if (scouts)
            Scout();
        _behind.RemoveAll(number => _isFound[number]);
        for (var i = 0; i < Math.Min(_behind.Count, Behind); i++)
            _asked.Add(_behind[(_turn + i) % _behind.Count]);
        _turn = _behind.Count == 0 ? 0 : (_turn + Behind) % _behind.Count;
    }

    private void Scout()
    {
        if (_scout < _frontier + Ahead || _scout > options.Keys)
            _scout = _frontier + Ahead;
        for (var i = 0; i < Ahead && _scout <= options.Keys; i++, _scout++)
            _asked.Add(_scout);
    }

    private void Poll(bool isStart)
    {
        if (_asked.Count == 0)
            return;
        _request.Clear();
        _request.WriteArrayHeader(_asked.Count + 1);
        _request.WriteBulkString("MGET"u8);
        foreach (var number in _asked)
            _request.WriteBulkString(number);
        pipeline.RequireSilence();
        var asked = WallClock.NowNs();
        pipeline.Send(_request.Written);
        Polls++;
        var reply = pipeline.Await("MGET");
        var answered = WallClock.NowNs();
        if (reply.IsError)
            throw Refusal(Encoding.UTF8.GetString(reply.Content));
        if (reply.Children != _asked.Count)
            throw new RedisProtocolException($"{_asked.Count} keys were asked for, {reply.Children} values came");
        foreach (var number in _asked)
        {
            reply.MoveNext();
            Judge(number, reply, asked, answered, isStart);
        }
    }

    private static RedisServerException Refusal(string reply)
    {
        var refusal = new RedisServerException(reply);
        return refusal.Code is "CROSSSLOT" or "MOVED"
            ? new RedisServerException(reply, $"{OriginalReport.ClusterNode} ({reply})")
            : refusal;
    }

    private void Judge(long number, in RespCursor value, long asked, long answered, bool isStart)
    {
        var isNumber = Utf8Parser.TryParse(value.Content, out long milliseconds, out var read)
            && read == value.Content.Length;
        if (value.IsNull || (isNumber ? milliseconds : Text) == _before[number])
        {
            _lastMissNs[number] = asked;
            return;
        }

        if (isStart)
        {
            // One more number is polled than there are keys.
            Stale = Math.Min(Stale + 1, options.Keys);
            _before[number] = isNumber ? milliseconds : Text;
            _lastMissNs[number] = asked;
            return;
        }

        Find(number);
        if (!isNumber)
        {
            NotANumber++;
            return;
        }

        Delays.Add(answered - (milliseconds * WallClock.Millisecond));
        if (_lastMissNs[number] != 0)
            LeastDelays.Add(_lastMissNs[number] - (milliseconds * WallClock.Millisecond));
    }

    private void Find(long number)
    {
        _isFound[number] = true;
        for (; _frontier <= number; _frontier++)
        {
            if (!_isFound[_frontier])
                _behind.Add(_frontier);
        }

        // One more number is polled for than there are keys: the first that comes of the two decides.
        if (number == 0)
            _isFound[options.Keys] = true;
        else if (number == options.Keys)
            _isFound[0] = true;
    }
}
