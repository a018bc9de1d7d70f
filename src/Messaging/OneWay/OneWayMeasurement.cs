namespace RedisLatency.Messaging.OneWay;

/// <summary>What the messages of one consumer took, each way; of one window or of the whole run.</summary>
public sealed class OneWayMeasurement
{
    private Int128 _networkSum;

    internal OneWayMeasurement(bool hasBack, bool hasBlocks)
    {
        Forward = new OneWayDirection(hasBlocks);
        Back = hasBack ? new OneWayDirection(hasBlocks) : null;
    }

    /// <summary>From the producer to the consumer.</summary>
    public OneWayDirection Forward { get; }

    /// <summary>From the consumer back to the producer; null at a consumer.</summary>
    public OneWayDirection? Back { get; }

    /// <summary>How many messages there are.</summary>
    public long Count => Forward.Count;

    /// <summary>
    /// The mean of the round trip less the residence, of these very messages, in nanoseconds; 0 without messages or way
    /// back. Mean forward and mean back make up the same, but for rounding and for what the clocks drift from each
    /// other while the consumer keeps a message.
    /// </summary>
    public double MeanNetworkNs => Count == 0 ? 0 : (double)_networkSum / Count;

    /// <summary>Counts everything that another one has counted.</summary>
    /// <param name="other">The next messages.</param>
    /// <param name="duration">In what time they came.</param>
    public void Add(OneWayMeasurement other, TimeSpan duration)
    {
        ArgumentNullException.ThrowIfNull(other);
        Forward.Add(other.Forward, duration);
        if (other.Back is { } back)
            Back?.Add(back, duration);
        _networkSum += other._networkSum;
    }

    /// <summary>Counts as missing what was due and has no value, when nothing more can come.</summary>
    /// <param name="due">How many messages there would be had none been lost, or never sent.</param>
    public void CountMissing(long due)
    {
        Forward.CountMissing(due);
        Back?.CountMissing(due);
    }

    internal void AddNetwork(long networkNs) => _networkSum += networkNs;

    internal void Reset()
    {
        Forward.Reset();
        Back?.Reset();
        _networkSum = 0;
    }
}
