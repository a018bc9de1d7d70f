namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// Worker w of W takes the positions w, w + W, w + 2W … of the endless sequence: together the order of YCSB's shared
/// counter (<c>SequentialGenerator</c>) without sharing one.
/// </summary>
internal sealed class SequentialChooser : KeyChooser
{
    private readonly long _first;
    private readonly int _worker;
    private readonly int _workers;
    private long _count;
    private IsolatedIndex _next;

    public SequentialChooser(KeySpace space, int worker, int workers)
    {
        _first = space.First;
        _count = space.Count;
        _worker = worker;
        _workers = workers;
        _next.Value = worker % _count;
    }

    public override long? FirstPass => (_count / _workers) + (_worker < _count % _workers ? 1 : 0);

    public override long Next(RandomSource random)
    {
        var position = _next.Value;
        var following = position + _workers;
        _next.Value = following < _count ? following : following % _count;
        return _first + position;
    }

    public override void Grow(long lastAcknowledged) => _count = Math.Max(_count, lastAcknowledged - _first + 1);
}
