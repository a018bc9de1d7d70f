using System.Globalization;
using RedisLatency.Hosting.Results;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Producer.OneWay;

/// <summary>Where one-way latency is written while measured; shared by the targets, which come one by one.</summary>
internal sealed class OneWayOutput : IDisposable
{
    private readonly SavedResults _results;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly StampsFile? _stamps;
    private bool _stampsFailed;

    public OneWayOutput(SavedResults results, ProducerPlan plan, ClockIdentity clock)
    {
        _results = results;
        Clocks = new ClockLog(results.CreateLines(ClockLog.FileName));
        Clocks.Begin(plan.Run, plan.Instance, clock);
        if (plan.Options.Clocks.Stamps && results.Files is { } folder)
            _stamps = Try(() => new StampsFile(folder));
    }

    public ClockLog Clocks { get; }

    /// <summary>Where messages wait that memory does not hold; null where there is no folder.</summary>
    public string? SpillPathOf(PairIdentity pair) => _results.Files is { } folder
        ? Path.Combine(folder.Path, $"one-way-{pair.HexadecimalId}.pending")
        : null;

    public void Keep(ReadOnlySpan<MessageStamps> batch)
    {
        if (_stamps is null || _stampsFailed)
            return;
        try
        {
            foreach (ref readonly var stamps in batch)
                _stamps.Write(stamps);
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    public void Write(OneWayTags tags, in OneWayInterval interval, bool hasSchedule)
    {
        if (interval.Measured.Count == 0)
            return;
        var start = _wallClock.ToUtc(interval.StartNs);
        var length = TimeSpan.FromNanoseconds(interval.LengthNs);
        Write(tags.Forward, interval.Measured.Forward);
        if (interval.Measured.Back is { } back)
            Write(tags.Back, back);

        void Write(OneWayDirectionTags names, OneWayDirection direction)
        {
            if (hasSchedule)
                WriteSigned(names.FromIntended, names.FromIntendedNegative, direction.FromIntended);
            WriteSigned(names.FromSent, names.FromSentNegative, direction.FromSent);
            _results.Log.Write(names.Variation, start, length, direction.Variation);
            if (direction.BelowFloor.TotalCount > 0)
                _results.Log.Write(names.BelowFloor, start, length, direction.BelowFloor);
        }

        void WriteSigned(string tag, string negativeTag, SignedLatencyHistogram values)
        {
            _results.Log.Write(tag, start, length, values.Values);
            if (values.Negatives.TotalCount > 0)
                _results.Log.Write(negativeTag, start, length, values.Negatives);
        }
    }

    /// <summary>Gives the stamps their final name.</summary>
    public void Complete()
    {
        if (_stamps is not null && !_stampsFailed)
            Try(() => { _stamps.Complete(); return _stamps; });
    }

    public void Dispose() => _stamps?.Dispose();

    private StampsFile? Try(Func<StampsFile> work)
    {
        try
        {
            return work();
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
            return null;
        }
    }

    private void Fail(ResultsWriteException failure)
    {
        _stampsFailed = true;
        _results.Fail(failure);
    }
}

/// <summary>What the series of one consumer are called in the interval log.</summary>
internal sealed class OneWayTags(Func<string, string> tagOf, int pair)
{
    public OneWayDirectionTags Forward { get; } = new(
        name => tagOf(Numbered(name, pair)), OneWayMetrics.Forward.Name, OneWayMetrics.ForwardFromIntended.Name);

    public OneWayDirectionTags Back { get; } = new(
        name => tagOf(Numbered(name, pair)), OneWayMetrics.Back.Name, OneWayMetrics.BackFromIntended.Name);

    // The first consumer's have no number: nearly always it is the only one.
    private static string Numbered(string name, int pair) =>
        pair == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{pair + 1}.{name}");
}

/// <summary>What the series of one direction are called in the interval log.</summary>
internal sealed class OneWayDirectionTags(Func<string, string> tagOf, string fromSent, string fromIntended)
{
    // Their values are the magnitudes of negative ones.

    public string FromSent { get; } = tagOf(fromSent);

    public string FromSentNegative { get; } = tagOf(Measured.NegativesOf(fromSent));

    public string FromIntended { get; } = tagOf(fromIntended);

    public string FromIntendedNegative { get; } = tagOf(Measured.NegativesOf(fromIntended));

    /// <summary>How much longer than the fastest of the last seconds.</summary>
    public string Variation { get; } = tagOf(fromSent + "-variation");

    /// <summary>By how much values were below the floor.</summary>
    public string BelowFloor { get; } = tagOf(fromSent + "-below-floor");
}
