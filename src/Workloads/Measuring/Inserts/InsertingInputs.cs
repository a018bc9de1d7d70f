using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Drawing;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Measuring.Phases;
using RedisLatency.Workloads.Randomness;

namespace RedisLatency.Workloads.Measuring.Inserts;

/// <summary>One worker's keys and values where keys are added: what has been acknowledged may be read.</summary>
internal sealed class InsertingInputs : CommandInputs
{
    // As YCSB's window, far more than can be in flight; an insert that never ends must not hold the others up for ever.
    private const int Window = 1 << 16;

    private readonly CommandInputs _drawn;
    private readonly KeyChooser _existing;
    private readonly RandomSource _random;
    private readonly InsertedKeys _inserted;
    private readonly int _worker;
    private readonly bool[] _isAcknowledged = new bool[Window];
    private long _next;
    private long _gapless;

    /// <summary>Makes one worker's inputs.</summary>
    public InsertingInputs(DrawnKeys keys, WorkerPlace place, InsertedKeys inserted)
    {
        _drawn = keys.Create(place);
        _existing = keys.Streams[PhaseMix.ExistingKeys].Create(keys.Space, place.Worker, place.Workers);

        // Another seed than the one that values are drawn from, or keys would follow them.
        _random = new RandomSource(~keys.Seed).Split(place.Worker);
        _inserted = inserted;
        _worker = place.Worker;
    }

    /// <inheritdoc/>
    public override int MaximumKeyLength => _drawn.MaximumKeyLength;

    /// <inheritdoc/>
    public override int MaximumValueLength => _drawn.MaximumValueLength;

    /// <inheritdoc/>
    public override long NextKey(int stream) =>
        stream == PhaseMix.NewKeys ? _inserted.KeyOf(_worker, _next++) : _existing.Next(_random);

    /// <inheritdoc/>
    public override int WriteKey(long key, Span<byte> destination) => _drawn.WriteKey(key, destination);

    /// <inheritdoc/>
    public override int WriteValue(long key, Span<byte> destination) => _drawn.WriteValue(key, destination);

    /// <inheritdoc/>
    public override ulong NextRandom() => _drawn.NextRandom();

    /// <inheritdoc/>
    public override bool IsExpected(long key, ReadOnlySpan<byte> value) => _drawn.IsExpected(key, value);

    /// <inheritdoc/>
    public override void Acknowledge(int stream, long key)
    {
        if (stream != PhaseMix.NewKeys)
            return;
        var number = _inserted.NumberOf(key);
        if (number < _gapless)
            return;
        if (number - _gapless >= Window)
            Pass(number - Window + 1);
        _isAcknowledged[number % Window] = true;
        while (_isAcknowledged[_gapless % Window])
            _isAcknowledged[_gapless++ % Window] = false;
        _inserted.Acknowledge(_worker, _gapless);
        _existing.Grow(_inserted.LastAcknowledged);
    }

    private void Pass(long until)
    {
        for (; _gapless < until; _gapless++)
            _isAcknowledged[_gapless % Window] = false;
    }
}
