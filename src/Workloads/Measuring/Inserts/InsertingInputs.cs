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
    private readonly CommandInputs _drawn;
    private readonly KeyChooser _existing;
    private readonly RandomSource _random;
    private readonly InsertSequence _inserts;

    /// <summary>Makes one worker's inputs.</summary>
    /// <param name="keys">The keys and values there are.</param>
    /// <param name="place">Which worker.</param>
    /// <param name="inserts">The keys that are added, by all workers together.</param>
    public InsertingInputs(DrawnKeys keys, WorkerPlace place, InsertSequence inserts)
    {
        _drawn = keys.Create(place);
        _existing = keys.Streams[PhaseMix.ExistingKeys].Create(keys.Space, place.Worker, place.Workers);

        // Another seed than the one that values are drawn from, or keys would follow them.
        _random = new RandomSource(~keys.Seed).Split(place.Worker);
        _inserts = inserts;
    }

    /// <inheritdoc/>
    public override int MaximumKeyLength => _drawn.MaximumKeyLength;

    /// <inheritdoc/>
    public override int MaximumValueLength => _drawn.MaximumValueLength;

    /// <inheritdoc/>
    public override long NextKey(int stream)
    {
        if (stream != PhaseMix.NewKeys)
            return _existing.Next(_random);

        // A million inserts without a reply: rather than to wait, write the last key again.
        return _inserts.TryTake(out var key) ? key : _inserts.LastAcknowledged;
    }

    /// <inheritdoc/>
    public override int WriteKey(long key, Span<byte> destination) => _drawn.WriteKey(key, destination);

    /// <inheritdoc/>
    public override int WriteValue(long key, Span<byte> destination) => _drawn.WriteValue(key, destination);

    /// <inheritdoc/>
    public override ulong NextRandom() => _drawn.NextRandom();

    /// <inheritdoc/>
    public override bool IsExpected(long key, ReadOnlySpan<byte> value) => _drawn.IsExpected(key, value);

    /// <inheritdoc/>
    public override void Settle(int stream, long key)
    {
        if (stream != PhaseMix.NewKeys)
            return;
        _inserts.Acknowledge(key);
        _existing.Grow(_inserts.LastAcknowledged);
    }
}
