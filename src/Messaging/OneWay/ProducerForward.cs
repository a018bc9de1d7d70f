using RedisLatency.Messaging.Stamps;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Messaging.OneWay;

/// <summary>One producer's messages, as a consumer measures them by itself.</summary>
public sealed class ProducerForward : IDisposable
{
    private readonly OneWayCorrection _correction;

    internal ProducerForward(ulong producer, OneWayOptions options)
    {
        Producer = producer;
        _correction = new OneWayCorrection(options);
    }

    /// <summary>The producing process.</summary>
    public ulong Producer { get; }

    /// <summary>Messages that came, each once.</summary>
    public long Received { get; private set; }

    /// <summary>What they took so far.</summary>
    public OneWayDirection Measured => _correction.Total.Forward;

    /// <summary>How many could not be corrected: no window was told for their time, or they were not kept.</summary>
    public long NotCorrected => _correction.NotCorrected + _correction.Impossible;

    /// <summary>Why messages could not be kept; null where all could.</summary>
    public string? Failure => _correction.Failure;

    /// <summary>Whether it says that its clock is a synthetic one.</summary>
    public bool IsSynthetic { get; private set; }

    /// <summary>Whether the producer has told all, or was given up.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Its figures so far.</summary>
    public ForwardFigures Figures => new(
        Received, Measured.Count, Measured.Negatives, Measured.MeanNs, Measured.MeanFromIntendedNs, Measured.MinNs,
        Measured.MaxNs, Measured.WorstErrorNs, Measured.NegativesBeyondError);

    internal long LastHeardNs { get; set; }

    internal bool HasToldAll { get; set; }

    /// <inheritdoc/>
    public void Dispose() => _correction.Dispose();

    internal void Add(in MessageStamps stamps)
    {
        Received++;
        _correction.Add(stamps);
    }

    internal void Add(in ToldWindow window)
    {
        IsSynthetic |= window.IsSynthetic;
        _correction.Add(window.ToWindow());
    }

    /// <summary>Corrects what can be, and adds it.</summary>
    internal void Correct(OneWayDirection into)
    {
        while (_correction.TryCorrect(out var interval))
            into.Add(interval.Measured.Forward, TimeSpan.FromNanoseconds(interval.LengthNs));
    }

    internal void Complete()
    {
        _correction.Complete();
        IsComplete = true;
    }
}
